"""Language models as opponents: any server that speaks the chat completions of OpenAI's protocol.

`source` says which model is asked, where and how; `connection` carries requests there and bounds what comes back;
`completion` is an answer as it came; `model` asks about queries of a kind of task, which gives a `Questionnaire`.
"""
