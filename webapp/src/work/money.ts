import { direction, language, say } from "../words/say";

/** Currencies whose signs are known everywhere; another one is named by its code. */
const WITH_SIGN = new Set(["USD", "GBP", "EUR"]);

let unit = "USD";

/** From now on amounts are in this unit: a currency, points or hours. */
export function countIn(chosen: unknown): void {
  unit = typeof chosen === "string" ? chosen : unit;
}

/** Hundredths as people read them: 200 → "$2.00", "2 points", in German "2,00 $". In English as `rules.amounts.show` has it. */
export function amount(cents: number): string {
  return amountIn(unit, cents);
}

/** As `amount`, in a unit of its own. */
export function amountIn(unit: string, cents: number): string {
  if (unit === "points" || unit === "hours") {
    return cents < 0
      ? `-${amountIn(unit, -cents)}`
      : say(unit === "points" ? "work.points" : "work.hours_earned", { count: cents / 100 });
  }
  const format = new Intl.NumberFormat(language(), {
    style: "currency",
    currency: unit,
    currencyDisplay: WITH_SIGN.has(unit) ? "narrowSymbol" : "code",
    minimumFractionDigits: 2,
    maximumFractionDigits: 2, // also of currencies without hundredths
  });
  const parts = format.formatToParts(cents / 100);
  return parts.map(({ type, value }) => (type === "currency" ? sign(value) : value)).join("");
}

/** "US$" is read from the left where all else is read from the right: without its isolate the dollar would leave it. */
function sign(currency: string): string {
  return direction() === "rtl" ? `\u2066${currency}\u2069` : currency;
}

/** A share as a whole percentage: 0.667 → "67%", in German "67 %". */
export function percent(share: number): string {
  return new Intl.NumberFormat(language(), { style: "percent" }).format(share);
}
