import type { Rate } from "./records";

/** "59.2% (95% interval 58.9% to 59.5%)" */
export function rateText({ share, low, high }: Rate): string {
  return share === null ? "none yet" : `${tenths(share)} (95% interval ${tenths(low)} to ${tenths(high)})`;
}

/** A share in percent, to a tenth. */
export function tenths(share: number): string {
  return `${(100 * share).toFixed(1)}%`;
}

/** "59.2% (58.9% to 59.5%)" */
export function shortRateText({ share, low, high }: Rate): string {
  return share === null ? "–" : `${tenths(share)} (${tenths(low)} to ${tenths(high)})`;
}

/** "59.2% (580 of 980)" */
export function countedRateText({ share, found, of }: Rate): string {
  return share === null ? "–" : `${tenths(share)} (${found.toLocaleString("en")} of ${of.toLocaleString("en")})`;
}
