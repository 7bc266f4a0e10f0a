/** What the work is, what it pays, and how questions are played. */

import { payChapter } from "../../checking/guide";
import type { Terms } from "../../checking/hit";
import type { Guide } from "../../work/guide/guide";
import { Prose } from "../../words/Prose";
import { Say } from "../../words/Say";
import { say, text } from "../../words/say";

export function playingGuide(terms: Terms): Guide {
  return {
    name: "quizbowl_validation",
    chapters: [
      { title: say("checking.guide.work"), body: <Work /> },
      payChapter(terms, "question"),
      { title: say("checking.guide.good"), body: <Prose nodes={text("quizbowl_checking_good")} /> },
    ],
  };
}

function Work() {
  return (
    <>
      <p>
        <Say of="quizbowl_checking.guide.aim" args={{ aim: say("quizbowl_checking.aim") }} />
      </p>
      <ol className="steps">
        <li>
          <Say of="quizbowl_checking.guide.start" />
        </li>
        <li>
          <Say of="quizbowl_checking.guide.buzz" />
        </li>
        <li>
          <Say of="quizbowl_checking.guide.say" />
        </li>
      </ol>
    </>
  );
}
