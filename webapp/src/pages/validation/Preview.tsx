/** What a validator sees before accepting the HIT: the rules, and a finished sample with every control switched off. */

import { CheckingPreview } from "../../checking/CheckingPreview";
import { clock } from "../../checking/sample";
import type { Judging } from "../../checking/kind";
import { DisabledSubmit } from "../../work/fields/DisabledSubmit";
import { say } from "../../words/say";
import type { PreviewProps } from "../page";
import { QuestionCard } from "./QuestionCard";
import { QuestionPassage } from "./QuestionPassage";
import { type AnswerEntry, NO_ANSWER, type Question, readTerms } from "./answers";
import { validationGuide } from "./guide";

const nothing = () => undefined;

function finished(): Omit<Judging<Question, AnswerEntry>, "of"> {
  const context = { id: "sample", ...clock() };
  const answer = say("reading_checking.sample.answer");
  return {
    context,
    item: { id: "sample", context_id: "sample", work: { question: say("reading_checking.sample.question") } },
    place: 1,
    entry: { ...NO_ANSWER, answer: { text: answer, start: context.text.indexOf(answer) } },
    problem: null,
    frozen: true,
    done: false,
    onEdit: nothing,
    onSave: nothing,
    buttons: <DisabledSubmit label={say("checking.save", { work: "question" })} />,
  };
}

export function Preview({ config }: PreviewProps) {
  const terms = readTerms(config);
  const sample = { ...finished(), of: terms.works_per_hit };
  return (
    <CheckingPreview
      terms={terms}
      work="question"
      guide={validationGuide(terms)}
      reading={<QuestionPassage {...sample} />}
    >
      <QuestionCard {...sample} disabled />
    </CheckingPreview>
  );
}
