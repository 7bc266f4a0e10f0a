/** Cents as dollars: 200 → "$2.00". */
export function dollars(cents: number): string {
  return `$${(cents / 100).toFixed(2)}`;
}

/** A share as a whole percentage: 0.667 → "67%". */
export function percent(share: number): string {
  return `${Math.round(share * 100)}%`;
}
