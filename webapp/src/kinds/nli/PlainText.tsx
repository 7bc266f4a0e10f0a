/** The text that statements are about; it can be scrolled by keyboard where it scrolls in itself. */

import "../../passage/passage.css";
import { ContextTitle } from "../../work/ContextTitle";
import { ofData } from "../../words/data";
import { say } from "../../words/say";

export function PlainText({ title, text }: { title: string; text: string }) {
  return (
    <>
      <ContextTitle title={title} otherwise={say("nli.text")} />
      <div className="passage" {...ofData()} role="region" aria-label={say("nli.text.region")} tabIndex={0}>
        {text}
      </div>
    </>
  );
}
