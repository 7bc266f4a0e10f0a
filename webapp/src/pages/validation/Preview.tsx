/** What a validator sees before accepting the HIT: the rules, and a finished sample with every control switched off. */

import type { Judging } from "../../checking/kind";
import { PreviewPage } from "../../work/PreviewPage";
import { DisabledSubmit } from "../../work/fields/DisabledSubmit";
import { Stat } from "../../work/header/WorkHeader";
import type { PreviewProps } from "../page";
import { QuestionCard } from "./QuestionCard";
import { QuestionPassage } from "./QuestionPassage";
import { type AnswerEntry, NO_ANSWER, type Question, readTerms } from "./answers";
import { validationGuide } from "./guide";

const SAMPLE_TEXT =
  "The clock of Saint Odile has only one hand. When the other fell into the square during the fair of 1893, the mayor kept " +
  "it as a paperweight, and the baker Anton Reiss, whose shop lay below, rang a bell every quarter of an hour instead. His " +
  "granddaughter still does, though not on Sundays.";

const nothing = () => undefined;

const SAMPLE: Omit<Judging<Question, AnswerEntry>, "of"> = {
  context: { id: "sample", title: "The clock of Saint Odile", text: SAMPLE_TEXT },
  item: { id: "sample", context_id: "sample", work: { question: "Who sounds the quarter hours today?" } },
  place: 1,
  entry: { ...NO_ANSWER, answer: { text: "His granddaughter", start: SAMPLE_TEXT.indexOf("His granddaughter") } },
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
    <PreviewPage
      terms={terms}
      promise="Accept the HIT to get questions of your own."
      stats={<Stat label="Questions">up to {terms.works_per_hit}</Stat>}
      guide={validationGuide(terms)}
      reading={<QuestionPassage {...sample} />}
    >
      <QuestionCard {...sample} disabled />
    </PreviewPage>
  );
}
