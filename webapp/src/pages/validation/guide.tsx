/** What the work is, what it pays, and what good and bad answers look like. The examples are this project's own. */

import { payChapter } from "../../checking/guide";
import type { Terms } from "../../checking/hit";
import { type Example, ExamplePairs } from "../../work/guide/Examples";
import type { Guide } from "../../work/guide/guide";
import { Prose } from "../../words/Prose";
import { Say } from "../../words/Say";
import { say, text } from "../../words/say";

export function validationGuide(terms: Terms): Guide {
  const examples = <ExamplePairs passage={say("reading_checking.example.passage")} pairs={pairs()} />;
  return {
    name: "validation",
    chapters: [
      { title: say("checking.guide.work"), body: <Work /> },
      payChapter(terms, "question"),
      { title: say("checking.guide.good"), body: <Prose nodes={text("reading_checking_good")} /> },
      { title: say("reading_checking.guide.examples"), body: examples },
    ],
  };
}

function Work() {
  return (
    <>
      <p>
        <strong>{say("reading_checking.aim")}</strong>
      </p>
      <ol className="steps">
        <li>
          <Say of="reading_checking.step.read" />
        </li>
        <li>
          <Say of="reading_checking.step.mark" />
        </li>
        <li>
          <Say of="reading_checking.step.cannot" />
        </li>
      </ol>
    </>
  );
}

function pairs() {
  return ([1, 2] as const).map((number) => ({ good: example(`${number}.good`), bad: example(`${number}.bad`) }));
}

function example(name: `${1 | 2}.${"good" | "bad"}`): Example {
  return {
    text: say(`reading_checking.example.${name}`),
    detail: say(`reading_checking.example.${name}.detail`),
    why: say(`reading_checking.example.${name}.why`),
  };
}
