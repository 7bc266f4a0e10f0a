/** The text that statements are about; it can be scrolled by keyboard where it scrolls in itself. */

import "../../passage/passage.css";
import { say } from "../../words/say";

export function PlainText({ title, text }: { title: string; text: string }) {
  return (
    <>
      <h2 dir="auto">{title.replaceAll("_", " ") || say("nli.text")}</h2>
      <div className="passage" dir="auto" role="region" aria-label={say("nli.text.region")} tabIndex={0}>
        {text}
      </div>
    </>
  );
}
