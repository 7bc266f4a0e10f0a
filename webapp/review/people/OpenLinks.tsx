/** The links by which people can still join. Their tokens are not kept: a link is closed by its id. */

import type { Desk } from "../desk";
import type { Crowd, OpenLink } from "../records";
import { day } from "./words";

interface Props {
  links: readonly OpenLink[];
  desk: Desk;
  onClosed: (crowd: Crowd, link: OpenLink) => void;
}

export function OpenLinks({ links, desk: { run, send }, onClosed }: Props) {
  if (links.length === 0) {
    return null;
  }
  const close = (link: OpenLink) =>
    run(async () => onClosed(await send<Crowd>("api/people/closed-links", { id: link.id }), link));
  return (
    <section className="card" aria-label="Open links">
      <h3>Open links</h3>
      <ul className="open-links">
        {links.map((link) => (
          <li key={link.id}>
            <div>
              <p>
                {link.joined} of {link.places} joined, until {day(link.expires_at)}
              </p>
              <p className="muted small">
                {termsOf(link)} · <code>{link.id}</code>
              </p>
            </div>
            <button type="button" onClick={() => void close(link)}>
              Close<span className="visually-hidden"> the link {link.id}</span>
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}

function termsOf({ domain, needs_approval, group }: OpenLink): string {
  const who = domain !== null ? `Addresses at ${domain}` : needs_approval ? "With approval" : "Anybody";
  return group === null ? who : `${who}, in ${group}`;
}
