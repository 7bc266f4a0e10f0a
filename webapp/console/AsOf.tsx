import { moment } from "../review/words";

/** When figures were made, and whether newer ones come. */
export function AsOf({ at, again_seconds }: { at: string; again_seconds: number | null }) {
  return (
    <p className="muted small">
      As of <time dateTime={at}>{moment(at)}</time>
      {again_seconds !== null && "; newer figures are on their way"}
    </p>
  );
}
