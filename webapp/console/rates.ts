import type { Rate } from "./records";

/** "59.2% (95% interval 58.9% to 59.5%)" */
export function rateText(rate: Rate): string {
  const interval = intervalText(rate);
  return rate.share === null ? "none yet" : interval === null ? tenths(rate.share) : `${tenths(rate.share)} (95% interval ${interval})`;
}

/** "58.9% to 59.5%"; null where there is no interval. */
export function intervalText({ low, high }: Rate): string | null {
  return low === null || high === null ? null : `${tenths(low)} to ${tenths(high)}`;
}

/** A share in percent, to a tenth. */
export function tenths(share: number): string {
  return `${(100 * share).toFixed(1)}%`;
}

/** "59.2% (58.9% to 59.5%)" */
export function shortRateText(rate: Rate): string {
  const interval = intervalText(rate);
  return rate.share === null ? "–" : interval === null ? tenths(rate.share) : `${tenths(rate.share)} (${interval})`;
}

/** "59.2% (580 of 980)" */
export function countedRateText({ share, found, of }: Rate): string {
  return share === null ? "–" : `${tenths(share)} (${found.toLocaleString("en")} of ${of.toLocaleString("en")})`;
}
