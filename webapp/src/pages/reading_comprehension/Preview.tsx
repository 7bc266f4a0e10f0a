/** What a worker sees before accepting the HIT: the rules, and a finished sample with every control switched off. */

import { WorkHeader, Stat } from "../../header/WorkHeader";
import { Instructions } from "../../instructions/Instructions";
import { Passage } from "../../passage/Passage";
import { rangeOf, tokenise } from "../../passage/tokens";
import type { PreviewProps } from "../page";
import { Composer } from "./Composer";
import { Goal, Rules } from "./Rules";
import { Verdict } from "./Verdict";
import { type Attempt, readTerms } from "./hit";
import { dollars } from "./money";

const SAMPLE_TITLE = "The lighthouse at Grey Point";
const SAMPLE_TEXT =
  "The lighthouse at Grey Point was lit for the first time in the autumn of 1871. Its keeper, Ansel Moor, carried the oil " +
  "up 162 steps every evening, and when a storm broke the lamp in his second winter he rowed to the mainland for a new " +
  "glass. His daughter kept the fire burning on the rocks until he came back. The harbour town gave her a silver watch; " +
  "he himself got a bill for the boat.";
const SAMPLE_TOKENS = tokenise(SAMPLE_TEXT);

const SAMPLE: Attempt = {
  attempt_id: "sample",
  work: {
    question: "Who was rewarded for what happened that night?",
    answer: { text: "His daughter", start: SAMPLE_TEXT.indexOf("His daughter") },
  },
  prediction: { text: "Ansel Moor", start: SAMPLE_TEXT.indexOf("Ansel Moor"), score: 0.71 },
  scores: { f1: 0 },
  fooled: true,
  retracted: false,
  flag: null,
  created_at: "",
};

const nothing = () => undefined;

export function Preview({ config }: PreviewProps) {
  const terms = readTerms(config);
  return (
    <>
      <WorkHeader title={terms.task_title}>
        <Stat label="Pay">{dollars(terms.reward_cents)}</Stat>
        <Stat label="Time">{Math.round(terms.time_limit_seconds / 60)} min</Stat>
      </WorkHeader>
      <main>
        <p className="notice" data-testid="preview">
          This is a preview. Accept the HIT to get a passage of your own and start writing.
        </p>
        <Goal terms={terms} isChecked={null} />
        {terms.task_description && <p className="description">{terms.task_description}</p>}
        <Instructions name="reading_comprehension" title="How it works" alwaysOpen>
          <Rules terms={terms} isChecked={null} />
        </Instructions>
        <h2 className="sample-title">What it looks like</h2>
        <div className="columns">
          <div className="reading card">
            <h3>{SAMPLE_TITLE}</h3>
            <Passage
              text={SAMPLE_TEXT}
              tokens={SAMPLE_TOKENS}
              marked={rangeOf(SAMPLE_TOKENS, SAMPLE.work.answer)}
              model={rangeOf(SAMPLE_TOKENS, SAMPLE.prediction)}
              frozen
              onMark={nothing}
            />
          </div>
          <div className="writing">
            <Composer
              text={SAMPLE_TEXT}
              tokens={SAMPLE_TOKENS}
              question={SAMPLE.work.question}
              answer={SAMPLE.work.answer}
              typed=""
              problem={null}
              maxQuestionChars={terms.max_question_chars}
              frozen
              disabled
              onQuestion={nothing}
              onTyped={nothing}
              onClear={nothing}
              onSubmit={nothing}
            >
              <div className="submit">
                <button type="submit" className="primary" disabled>
                  Submit question
                </button>
              </div>
            </Composer>
            <Verdict attempt={SAMPLE} isChecked={false} threshold={terms.f1_threshold} />
          </div>
        </div>
      </main>
    </>
  );
}
