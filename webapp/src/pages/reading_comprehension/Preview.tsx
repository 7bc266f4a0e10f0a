/** What a writer sees before accepting the HIT: the rules, and a finished sample with every control switched off. */

import { Composer } from "../../kinds/reading_comprehension/Composer";
import { Evidence, comesNext } from "../../kinds/reading_comprehension/Evidence";
import { writingGuide } from "../../kinds/reading_comprehension/guide";
import { type QuestionAttempt, readTerms } from "../../kinds/reading_comprehension/terms";
import { Passage } from "../../passage/Passage";
import { rangeOf, tokenise } from "../../passage/tokens";
import { PreviewPage } from "../../work/PreviewPage";
import { DisabledSubmit } from "../../work/fields/DisabledSubmit";
import { Verdict } from "../../writing/Verdict";
import type { PreviewProps } from "../page";

const SAMPLE_TITLE = "The lighthouse at Grey Point";
const SAMPLE_TEXT =
  "The lighthouse at Grey Point was lit for the first time in the autumn of 1871. Its keeper, Ansel Moor, carried the oil " +
  "up 162 steps every evening, and when a storm broke the lamp in his second winter he rowed to the mainland for a new " +
  "glass. His daughter kept the fire burning on the rocks until he came back. The harbour town gave her a silver watch; " +
  "he himself got a bill for the boat.";
const SAMPLE_TOKENS = tokenise(SAMPLE_TEXT);

const SAMPLE: QuestionAttempt = {
  attempt_id: "sample",
  work: {
    question: "Who was rewarded for what happened that night?",
    answer: { text: "His daughter", start: SAMPLE_TEXT.indexOf("His daughter") },
  },
  prediction: { text: "Ansel Moor", start: SAMPLE_TEXT.indexOf("Ansel Moor"), score: 0.71 },
  scores: { f1: 0, f1_threshold: 0.4 },
  fooled: true,
  retracted: false,
  flag: null,
  explanation: null,
  doubts: null,
  admitted: null,
  created_at: "",
};

const nothing = () => undefined;

export function Preview({ config }: PreviewProps) {
  const terms = readTerms(config);
  return (
    <PreviewPage
      terms={terms}
      promise="Accept the HIT to get a passage of your own and start writing."
      guide={writingGuide(terms, null)}
      reading={
        <>
          <h3>{SAMPLE_TITLE}</h3>
          <Passage
            text={SAMPLE_TEXT}
            tokens={SAMPLE_TOKENS}
            marked={rangeOf(SAMPLE_TOKENS, SAMPLE.work.answer)}
            model={rangeOf(SAMPLE_TOKENS, SAMPLE.prediction)}
            frozen
            onMark={nothing}
          />
        </>
      }
    >
      <Composer
        text={SAMPLE_TEXT}
        tokens={SAMPLE_TOKENS}
        entry={{ ...SAMPLE.work, typed: "" }}
        problem={null}
        maxQuestionChars={terms.max_question_chars}
        frozen
        disabled
        onEdit={nothing}
        onSubmit={nothing}
      >
        <DisabledSubmit label="Submit question" />
      </Composer>
      <Verdict
        fooled
        comesNext={comesNext(true, false)}
        evidence={<Evidence attempt={SAMPLE} threshold={terms.f1_threshold} />}
      />
    </PreviewPage>
  );
}
