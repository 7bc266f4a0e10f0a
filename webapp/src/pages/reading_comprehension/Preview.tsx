/** What a writer sees before accepting the HIT: the rules, and a finished sample with every control switched off. */

import { Composer } from "../../kinds/reading_comprehension/Composer";
import { Evidence, comesNext } from "../../kinds/reading_comprehension/Evidence";
import { writingGuide } from "../../kinds/reading_comprehension/guide";
import { type QuestionAttempt, readTerms } from "../../kinds/reading_comprehension/terms";
import { Passage } from "../../passage/Passage";
import { rangeOf, tokenise } from "../../passage/tokens";
import { PreviewPage } from "../../work/PreviewPage";
import { DisabledSubmit } from "../../work/fields/DisabledSubmit";
import { Verdict } from "../../writing/Verdict";
import type { PreviewProps } from "../page";
import { say } from "../../words/say";

function sample(text: string): QuestionAttempt {
  const [answer, model] = [say("reading.sample.answer"), say("reading.sample.model")];
  return {
    attempt_id: "sample",
    work: { question: say("reading.sample.question"), answer: { text: answer, start: text.indexOf(answer) } },
    prediction: { text: model, start: text.indexOf(model), score: 0.71 },
    scores: { f1: 0, f1_threshold: 0.4 },
    fooled: true,
    retracted: false,
    flag: null,
    explanation: null,
    doubts: null,
    admitted: null,
    created_at: "",
  };
}

const nothing = () => undefined;

export function Preview({ config }: PreviewProps) {
  const terms = readTerms(config);
  const text = say("reading.sample.text");
  const tokens = tokenise(text);
  const attempt = sample(text);
  return (
    <PreviewPage
      terms={terms}
      promise={say("reading.promise")}
      guide={writingGuide(terms, null)}
      reading={
        <>
          <h3>{say("reading.sample.title")}</h3>
          <Passage
            text={text}
            tokens={tokens}
            marked={rangeOf(tokens, attempt.work.answer)}
            model={rangeOf(tokens, attempt.prediction)}
            frozen
            onMark={nothing}
          />
        </>
      }
    >
      <Composer
        text={text}
        tokens={tokens}
        entry={{ ...attempt.work, typed: "" }}
        problem={null}
        maxQuestionChars={terms.max_question_chars}
        frozen
        disabled
        onEdit={nothing}
        onSubmit={nothing}
      >
        <DisabledSubmit label={say("reading.submit")} />
      </Composer>
      <Verdict
        fooled
        work="question"
        comesNext={comesNext(true, false)}
        evidence={<Evidence attempt={attempt} threshold={terms.f1_threshold} />}
      />
    </PreviewPage>
  );
}
