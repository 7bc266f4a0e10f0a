/** What a validator sees before accepting the HIT: the rules, and a finished sample with every control switched off. */

import { CheckingPreview } from "../../checking/CheckingPreview";
import { CLOCK } from "../../checking/sample";
import type { Judging } from "../../checking/kind";
import { DisabledSubmit } from "../../work/fields/DisabledSubmit";
import type { PreviewProps } from "../page";
import { QuestionCard } from "./QuestionCard";
import { QuestionPassage } from "./QuestionPassage";
import { type AnswerEntry, NO_ANSWER, type Question, readTerms } from "./answers";
import { validationGuide } from "./guide";

const nothing = () => undefined;

const SAMPLE: Omit<Judging<Question, AnswerEntry>, "of"> = {
  context: { id: "sample", ...CLOCK },
  item: { id: "sample", context_id: "sample", work: { question: "Who sounds the quarter hours today?" } },
  place: 1,
  entry: { ...NO_ANSWER, answer: { text: "His granddaughter", start: CLOCK.text.indexOf("His granddaughter") } },
  problem: null,
  frozen: true,
  done: false,
  onEdit: nothing,
  onSave: nothing,
  buttons: <DisabledSubmit label="Save answer" />,
};

export function Preview({ config }: PreviewProps) {
  const terms = readTerms(config);
  const sample = { ...SAMPLE, of: terms.works_per_hit };
  return (
    <CheckingPreview
      terms={terms}
      items="questions"
      guide={validationGuide(terms)}
      reading={<QuestionPassage {...sample} />}
    >
      <QuestionCard {...sample} disabled />
    </CheckingPreview>
  );
}
