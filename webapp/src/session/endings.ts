/** What to tell a worker whose HIT has ended without a submission, by the agent's status. */

const KEPT = "Everything that was checked is kept. What you wrote stays on this page, so that you can copy it.";

const ENDINGS: Readonly<Record<string, string>> = {
  expired: "This HIT is no longer available. Please return it and try another one.",
  timeout: "The time for this HIT is over. Please return it and try another one.",
  disconnect:
    "This page was away for too long, and the HIT was given up. Reload the page to see whether you can go on.",
  returned: "This HIT was returned. If you did not mean to, reload the page to see whether you can go on.",
  "mephisto disconnect": "Our service has stopped. Please try again later, or write to us if you have done much work.",
};

const REFUSED = "This page and our service do not know each other any more. Please reload the page.";

/** Why nothing can be sent any more; null while the work goes on. */
export function ending(status: string, refused: boolean): string | null {
  const reason = ENDINGS[status] ?? (refused ? REFUSED : null);
  return reason && `${reason} ${KEPT}`;
}
