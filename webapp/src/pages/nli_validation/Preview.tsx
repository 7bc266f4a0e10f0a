/** What a verifier sees before accepting the HIT: the rules, and a finished sample with every control switched off. */

import { CheckingPreview } from "../../checking/CheckingPreview";
import { CLOCK } from "../../checking/sample";
import type { Judging } from "../../checking/kind";
import { PlainText } from "../../kinds/nli/PlainText";
import { DisabledSubmit } from "../../work/fields/DisabledSubmit";
import type { PreviewProps } from "../page";
import { StatementCard } from "./StatementCard";
import { verificationGuide } from "./guide";
import { type JudgementEntry, type Statement, readTerms } from "./judgements";

const nothing = () => undefined;

const SAMPLE: Omit<Judging<Statement, JudgementEntry>, "of"> = {
  context: { id: "sample", ...CLOCK },
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
    <CheckingPreview
      terms={terms}
      items="statements"
      guide={verificationGuide(terms)}
      reading={<PlainText {...CLOCK} />}
    >
      <StatementCard {...SAMPLE} of={terms.works_per_hit} disabled />
    </CheckingPreview>
  );
}
