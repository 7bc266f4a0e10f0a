/** All chapters of the guide one below the other, for those who have not accepted the HIT. */

import { say } from "../../words/say";
import type { Guide } from "./guide";
import "./guide.css";

export function GuideText({ guide: { chapters } }: { guide: Guide }) {
  return (
    <section className="guide card" aria-labelledby="guide-title">
      <h2 id="guide-title">{say("work.guide")}</h2>
      {chapters.map(({ title, body }) => (
        <div key={title} className="chapter">
          <h3>{title}</h3>
          {body}
        </div>
      ))}
    </section>
  );
}
