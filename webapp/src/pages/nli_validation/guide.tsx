/** What the work is, what it pays, and how statements are judged. The examples are this project's own. */

import { payChapter } from "../../checking/guide";
import type { Terms } from "../../checking/hit";
import { LabelList } from "../../kinds/nli/LabelList";
import { type LabelledStatement, LabelledStatements } from "../../kinds/nli/LabelledStatements";
import type { Guide } from "../../work/guide/guide";
import { Prose } from "../../words/Prose";
import { Say } from "../../words/Say";
import { say, text } from "../../words/say";

export function verificationGuide(terms: Terms): Guide {
  const examples = <LabelledStatements text={say("nli_checking.example.text")} statements={statements()} />;
  return {
    name: "nli_validation",
    chapters: [
      { title: say("checking.guide.work"), body: <Work /> },
      payChapter(terms, "statement"),
      { title: say("checking.guide.good"), body: <Prose nodes={text("nli_checking_good")} /> },
      { title: say("nli_checking.guide.examples"), body: examples },
    ],
  };
}

function Work() {
  return (
    <>
      <p>
        <Say of="nli_checking.guide.choose" args={{ aim: say("nli_checking.aim") }} />
      </p>
      <LabelList />
      <p>
        <Say of="nli_checking.guide.judge" />
      </p>
    </>
  );
}

function statements(): LabelledStatement[] {
  return (["entailment", "neutral", "contradiction", "bad"] as const).map((name) => ({
    hypothesis: say(`nli_checking.example.${name}`),
    label: name === "bad" ? null : name,
    why: say(`nli_checking.example.${name}.why`),
  }));
}
