/** What needs a person, each with the place where it is settled. */

import { Icon } from "../src/design/icons/Icon";
import { amount, moment } from "../review/words";
import type { Needs as Waiting } from "./records";
import { reviewAddress, verdictsAddress } from "./route";

interface Need {
  text: string;
  link: string;
  place: string;
}

export function Needs({ campaign, needs }: { campaign: string; needs: Waiting }) {
  const list = needsOf(campaign, needs);
  const isEmpty = list.length + needs.held.length + needs.models_away.length + needs.operators_gone.length + needs.payments_unknown === 0;
  return (
    <section className="card" aria-labelledby="needs">
      <h3 id="needs">What needs a person</h3>
      {isEmpty && (
        <p>
          <Icon name="good" /> Nothing waits.
        </p>
      )}
      {list.length > 0 && (
        <ul className="needs">
          {list.map(({ text, link, place }) => (
            <li key={text}>
              <span>{text}</span>
              <a href={link}>{place}</a>
            </li>
          ))}
        </ul>
      )}
      {needs.models_away.length > 0 && (
        <ul className="needs">
          {needs.models_away.map(({ member, since }) => (
            <li key={member}>
              <span>
                <Icon name="warning" /> The server of model {member} does not answer since {moment(since)}.
              </span>
            </li>
          ))}
        </ul>
      )}
      {needs.operators_gone.length > 0 && (
        <ul className="needs">
          {needs.operators_gone.map(({ stage, operator }) => (
            <li key={stage}>
              <span>
                <Icon name="warning" /> The operator of {stage} ({operator}) has died, and HITs are open. Open the stage
                again in <i>Acts</i>, or with <code>beat-the-ai launch --resume</code>.
              </span>
            </li>
          ))}
        </ul>
      )}
      {needs.payments_unknown > 0 && (
        <p>
          {needs.payments_unknown.toLocaleString("en")} payments whose outcome is unknown. Settle them with{" "}
          <code>beat-the-ai pay CAMPAIGN --confirm</code>.
        </p>
      )}
      {needs.held.length > 0 && (
        <>
          <h4>HITs that are not paid by themselves</h4>
          <ul className="needs">
            {needs.held.map(({ what, hits, cents }) => (
              <li key={what}>
                <span>
                  {hits} {what}
                </span>
                <span className="muted">{amount(cents)} if paid</span>
              </li>
            ))}
          </ul>
          <p className="muted small">
            Settle them with <code>beat-the-ai review held CAMPAIGN</code>.
          </p>
        </>
      )}
    </section>
  );
}

function needsOf(campaign: string, needs: Waiting): readonly Need[] {
  const late = needs.letters_overdue > 0 ? `, ${needs.letters_overdue} past the deadline` : "";
  const all: readonly (Need & { number: number })[] = [
    need(needs.to_review, "sampled HITs to judge", reviewAddress(campaign, "workers"), "Workers"),
    need(needs.candidates, "newcomers to decide about", reviewAddress(campaign, "candidates"), "Candidates"),
    need(needs.doubtful, "doubtful works", verdictsAddress(campaign, { only: "held" }), "Verdicts on hold"),
    need(needs.proposals, "revocations that wait for a second lead", reviewAddress(campaign, "workers"), "Proposals"),
    need(needs.letters, `messages and appeals to answer${late}`, reviewAddress(campaign, "messages"), "Messages"),
  ];
  return all.filter(({ number }) => number > 0);
}

function need(number: number, what: string, link: string, place: string): Need & { number: number } {
  return { number, text: `${number.toLocaleString("en")} ${what}`, link, place };
}
