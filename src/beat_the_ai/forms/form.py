"""A form as a requester writes it: Markdown with a head, or YAML.

`NAME.md` begins with a head between two lines `---`; what follows is the text. `NAME.yaml` has the text under `text`.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping
from functools import cached_property
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import StringConstraints, ValidationError, model_validator

from beat_the_ai.errors import InvalidInput, first_fault
from beat_the_ai.files.yaml_files import parse_yaml
from beat_the_ai.forms.questions import AS_TEXT, Answer, AnyQuestion, Written, check_order, is_met
from beat_the_ai.messages import said
from beat_the_ai.rules.protocol import Value

HEAD = "---"
MAX_CHARACTERS = 100_000

Button = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=80), AS_TEXT]


class Form(Value):
    """A form. `version` is the requester's name for its text; people answer a changed form again.

    Consent is agreed to or declined. A survey has questions. A notice is only read. `refuses` ends the work of whoever
    fails an attention check of the survey. A notice that comes `also_when_declined` ends the visit of whoever declines.
    """

    name: str
    kind: Literal["consent", "survey", "notice"]
    title: Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=200), AS_TEXT]
    version: Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=40), AS_TEXT] = "1"
    text: Written = ""
    agree: Button = "I agree"
    decline: Button = "I do not agree"
    questions: tuple[AnyQuestion, ...] = ()
    refuses: bool = False
    also_when_declined: bool = False

    @model_validator(mode="after")
    def _check(self) -> Form:
        if (self.kind == "survey") != bool(self.questions):
            raise ValueError("a survey has questions, and nothing else has")
        if self.kind == "consent" and not self.text.strip():
            raise ValueError("a consent form has a text")
        if self.also_when_declined and self.kind != "notice":
            raise ValueError("only a notice can be `also_when_declined`: whoever declines is asked nothing")
        check_order(self.questions)
        if self.refuses and all(question.expects is None for question in self.questions):
            raise ValueError("it refuses nobody without a question that expects an answer")
        return self

    @cached_property
    def digest(self) -> str:
        """Return the hash of what people are asked, whatever the file is called.

        Fields with their defaults do not count, so that a field that a later release adds asks nobody again.
        """
        asked = self.model_dump(mode="json", exclude={"name"}, exclude_defaults=True)
        content = json.dumps(asked, sort_keys=True, ensure_ascii=False)
        return hashlib.sha256(content.encode()).hexdigest()

    def read(self, given: Mapping[str, Any]) -> dict[str, Answer]:
        """Return the answers as they are kept, in the order of the questions. Raises `InvalidInput`."""
        answers: dict[str, Answer] = {}
        known = {question.id for question in self.questions}
        if unknown := sorted(set(given) - known):
            raise InvalidInput("answers", f"There is no question {unknown[0][:40]!r} in {self.title!r}.")
        for question in self.questions:
            value = given.get(question.id)
            if not is_met(question.shown_when, answers):
                continue
            if value is None or value in ("", []):
                if question.required:
                    raise InvalidInput(question.id, said("refusals.form.answer", question=question.text))
                continue
            answers[question.id] = question.read(value)
        return answers

    def failed_checks(self, answers: Mapping[str, Answer]) -> list[str]:
        """Return the attention checks that these answers fail; a check that was not shown is none."""
        return [one.id for one in self.questions if one.id in answers and one.is_failed(answers[one.id])]


def notices(after: Iterable[Form]) -> list[Form]:
    """Return the notices among the forms after the HITs: the debriefing of whoever has worked and stops."""
    return [form for form in after if form.kind == "notice"]


def read_form(path: Path) -> Form:
    """Read a form from its file. Raises `InvalidInput` that names the file, the place in it and what is wrong."""
    try:
        content = path.read_text(encoding="utf-8-sig")
        if len(content) > MAX_CHARACTERS:
            raise ValueError(f"it has {len(content):,} characters; at most {MAX_CHARACTERS:,} are read")
        values = _of_markdown(content) if path.suffix == ".md" else _settings(parse_yaml(content))
        text = json.dumps({**values, "name": path.stem}, default=str)  # YAML has dates; here they are text
    except (OSError, ValueError, TypeError, RecursionError) as error:
        raise InvalidInput("forms", f"The form {path} cannot be read: {' '.join(str(error).split())}.") from error
    try:
        return Form.model_validate_json(text)
    except ValidationError as error:
        fault = first_fault(error, "the whole file")
        raise InvalidInput(
            "forms", f"The form {path} is not as it should be at {fault.place}: {fault.reason}."
        ) from None


def _of_markdown(content: str) -> dict[str, Any]:
    lines = content.split("\n")
    if lines[0].strip() != HEAD or HEAD not in (line.strip() for line in lines[1:]):
        raise ValueError(f"it begins with no head between two lines {HEAD}")
    end = next(number for number, line in enumerate(lines[1:], start=1) if line.strip() == HEAD)
    return {**_settings(parse_yaml("\n".join(lines[1:end]))), "text": "\n".join(lines[end + 1 :]).strip()}


def _settings(content: Any) -> dict[str, Any]:
    if isinstance(content, dict):
        return content
    raise ValueError("it holds no settings")
