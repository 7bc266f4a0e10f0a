/** Money against the cap, and at the crowd. */

import { useEffect, useState } from "react";

import { get } from "../review/api";
import { amount, moment } from "../review/words";
import type { Run } from "./App";
import { Fact } from "./ProgressCard";
import type { Balance, Held, Money } from "./records";

const ASKED_MS = 60_000; // as the server asks the crowd

interface Props {
  campaign: string;
  money: Money;
  held: readonly Held[];
  run: Run;
}

export function MoneyCard({ campaign, money, held, run }: Props) {
  const balance = useBalance(campaign, run);
  const held_cents = held.reduce((sum, { cents }) => sum + cents, 0);
  const { paid_cents, owed_cents, models_cents, reserved_cents, beside_cents, cap_cents } = money;
  const used = paid_cents + owed_cents + models_cents + reserved_cents + beside_cents;
  const text = `${amount(used)} of the cap of ${amount(cap_cents)}`;
  return (
    <section className="card" aria-labelledby="money">
      <h3 id="money">Money</h3>
      <div className="stage">
        <span>Spent, owed and set aside</span>
        <span className="muted">{text}</span>
        <progress aria-label={`Spent, owed and set aside: ${text}`} value={used} max={Math.max(cap_cents, used, 1)} />
      </div>
      <dl className="facts">
        <Fact name="Paid">{amount(paid_cents)}</Fact>
        <Fact name="Owed or on its way">{amount(owed_cents)}</Fact>
        <Fact name="Set aside for open HITs">{amount(reserved_cents)}</Fact>
        {held_cents > 0 && <Fact name="On hold, if paid">{amount(held_cents)}</Fact>}
        {balance !== null && (balance.cents !== null || balance.away !== null) && (
          <Fact name="Balance at the crowd">{balanceText(balance)}</Fact>
        )}
        {models_cents > 0 && <Fact name="Language models, at most">{amount(models_cents)}</Fact>}
        {beside_cents > 0 && <Fact name="Screening, under the same cap">{amount(beside_cents)}</Fact>}
      </dl>
      <p className="muted small">With fees. Bonuses that open HITs may still earn are not in it.</p>
    </section>
  );
}

function useBalance(campaign: string, run: Run): Balance | null {
  const [balance, setBalance] = useState<Balance | null>(null);
  useEffect(() => {
    const ask = () =>
      document.visibilityState === "visible" &&
      run(async () => setBalance(await get<Balance>(`api/balance?${new URLSearchParams({ campaign })}`)));
    void ask();
    const timer = setInterval(() => void ask(), ASKED_MS);
    return () => clearInterval(timer);
  }, [campaign, run]);
  return balance;
}

function balanceText({ cents, at, away }: Balance): string {
  return cents === null ? (away ?? "") : `${amount(cents)}${at === null ? "" : ` at ${moment(at)}`}`;
}
