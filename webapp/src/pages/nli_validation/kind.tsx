/** Judging statements that others wrote, blind to what these aimed at. */

import type { Terms } from "../../checking/hit";
import type { CheckingKind } from "../../checking/kind";
import { PlainText } from "../../kinds/nli/PlainText";
import { say } from "../../words/say";
import { StatementCard } from "./StatementCard";
import { verificationGuide } from "./guide";
import {
  type Judgement,
  type JudgementEntry,
  NO_JUDGEMENT,
  type Statement,
  entryOf,
  findProblem,
  isJudgementEntry,
  judgementOf,
} from "./judgements";
import { judgingShortcuts } from "./shortcuts";

export function judging(terms: Terms): CheckingKind<Statement, Judgement, JudgementEntry> {
  return {
    work: "statement",
    guide: verificationGuide(terms),
    aim: say("nli_checking.aim"),
    shortcuts: judgingShortcuts,
    empty: NO_JUDGEMENT,
    isEntry: isJudgementEntry,
    voteOf: judgementOf,
    entryOf,
    findProblem,
    reading: ({ context }) => <PlainText {...context} />,
    card: (props) => <StatementCard key={props.item.id} {...props} />,
  };
}
