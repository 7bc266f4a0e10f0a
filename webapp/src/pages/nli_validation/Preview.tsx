/** What a verifier sees before accepting the HIT: the rules, and a finished sample with every control switched off. */

import type { Judging } from "../../checking/kind";
import { PlainText } from "../../kinds/nli/PlainText";
import { PreviewPage } from "../../work/PreviewPage";
import { DisabledSubmit } from "../../work/fields/DisabledSubmit";
import { Stat } from "../../work/header/WorkHeader";
import type { PreviewProps } from "../page";
import { StatementCard } from "./StatementCard";
import { verificationGuide } from "./guide";
import { type JudgementEntry, type Statement, readTerms } from "./judgements";

const TITLE = "The clock of Saint Odile";
const TEXT =
  "The clock of Saint Odile has only one hand. When the other fell into the square during the fair of 1893, the mayor kept " +
  "it as a paperweight, and the baker Anton Reiss, whose shop lay below, rang a bell every quarter of an hour instead. His " +
  "granddaughter still does, though not on Sundays.";

const nothing = () => undefined;

const SAMPLE: Omit<Judging<Statement, JudgementEntry>, "of"> = {
  context: { id: "sample", title: TITLE, text: TEXT },
  item: { id: "sample", context_id: "sample", work: { hypothesis: "Anton Reiss had at least one child." } },
  place: 1,
  entry: { choice: "entailment", flag: null },
  problem: null,
  frozen: true,
  done: false,
  onEdit: nothing,
  onSave: nothing,
  buttons: <DisabledSubmit label="Save judgement" />,
};

export function Preview({ config }: PreviewProps) {
  const terms = readTerms(config);
  return (
    <PreviewPage
      terms={terms}
      promise="Accept the HIT to get statements of your own."
      stats={<Stat label="Statements">up to {terms.works_per_hit}</Stat>}
      guide={verificationGuide(terms)}
      reading={<PlainText title={TITLE} text={TEXT} />}
    >
      <StatementCard {...SAMPLE} of={terms.works_per_hit} disabled />
    </PreviewPage>
  );
}
