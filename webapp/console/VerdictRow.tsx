import { Icon } from "../src/design/icons/Icon";
import { count, moment } from "../review/words";
import type { Verdict } from "./records";
import { attemptAddress } from "./route";

interface Props {
  campaign: string;
  verdict: Verdict;
  work: string;
}

export function VerdictRow({ campaign, verdict, work }: Props) {
  const { fooled, retracted, text, title, category } = verdict;
  const outcome = retracted ? "retracted" : fooled ? "fooled" : "not-fooled";
  return (
    <li className="verdict card" data-outcome={outcome}>
      <p className="verdict-head">
        <span className="verdict-outcome">
          <Icon name={retracted ? "back" : fooled ? "win" : "loss"} />
          {fooled ? "Beat the AI" : "The AI was right"}
          {retracted && ", taken back"}
        </span>
        <time className="muted" dateTime={verdict.at}>
          {moment(verdict.at)}
        </time>
      </p>
      <p>
        <a href={attemptAddress(campaign, verdict.attempt)} dir="auto">
          {text.trim() || `An empty ${work}`}
        </a>
      </p>
      <p className="muted small" dir="auto">
        {[verdict.worker, verdict.model, category === title ? "" : category, title].filter(Boolean).join(" · ")}
      </p>
      <Marks verdict={verdict} />
    </li>
  );
}

function Marks({ verdict: { label, votes, divided, held, counts } }: { verdict: Verdict }) {
  const marks = [
    label === null ? "" : `label ${label}`,
    votes > 0 ? count(votes, "vote") + (divided ? " that differ" : "") : "",
    held ? "on hold: waits for a person" : "",
    counts ? "" : "its HIT does not count yet",
  ].filter(Boolean);
  return marks.length > 0 ? <p className="small">{marks.join(" · ")}</p> : null;
}
