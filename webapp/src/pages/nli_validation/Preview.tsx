/** What a verifier sees before accepting the HIT: the rules, and a finished sample with every control switched off. */

import { CheckingPreview } from "../../checking/CheckingPreview";
import { clock } from "../../checking/sample";
import type { Judging } from "../../checking/kind";
import { PlainText } from "../../kinds/nli/PlainText";
import { DisabledSubmit } from "../../work/fields/DisabledSubmit";
import { say } from "../../words/say";
import type { PreviewProps } from "../page";
import { StatementCard } from "./StatementCard";
import { verificationGuide } from "./guide";
import { type JudgementEntry, type Statement, readTerms } from "./judgements";

const nothing = () => undefined;

function finished(): Omit<Judging<Statement, JudgementEntry>, "of"> {
  return {
    context: { id: "sample", ...clock() },
    item: { id: "sample", context_id: "sample", work: { hypothesis: say("nli_checking.sample.statement") } },
    place: 1,
    entry: { choice: "entailment", flag: null },
    problem: null,
    frozen: true,
    done: false,
    onEdit: nothing,
    onSave: nothing,
    buttons: <DisabledSubmit label={say("checking.save", { work: "statement" })} />,
  };
}

export function Preview({ config }: PreviewProps) {
  const terms = readTerms(config);
  return (
    <CheckingPreview
      terms={terms}
      work="statement"
      guide={verificationGuide(terms)}
      reading={<PlainText {...clock()} />}
    >
      <StatementCard {...finished()} of={terms.works_per_hit} disabled />
    </CheckingPreview>
  );
}
