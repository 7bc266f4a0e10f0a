/** What a worker sees before accepting the HIT: the rules, and a finished sample with every control switched off. */

import { Stat, WorkHeader } from "../../header/WorkHeader";
import { Instructions } from "../../instructions/Instructions";
import { Passage } from "../../passage/Passage";
import { rangeOf, tokenise } from "../../passage/tokens";
import type { PreviewProps } from "../page";
import { dollars } from "../reading_comprehension/money";
import { QuestionCard } from "./QuestionCard";
import { Goal, Rules } from "./Rules";
import { readTerms } from "./hit";

const SAMPLE_TITLE = "The clock of Saint Odile";
const SAMPLE_TEXT =
  "The clock of Saint Odile has only one hand. When the other fell into the square during the fair of 1893, the mayor kept " +
  "it as a paperweight, and the baker Anton Reiss, whose shop lay below, rang a bell every quarter of an hour instead. His " +
  "granddaughter still does, though not on Sundays.";
const SAMPLE_TOKENS = tokenise(SAMPLE_TEXT);
const SAMPLE_ANSWER = { text: "His granddaughter", start: SAMPLE_TEXT.indexOf("His granddaughter") };

const nothing = () => undefined;

export function Preview({ config }: PreviewProps) {
  const terms = readTerms(config);
  const questions = terms.questions_per_hit;
  return (
    <>
      <WorkHeader title={terms.task_title}>
        <Stat label="Pay">{dollars(terms.reward_cents)}</Stat>
        <Stat label="Questions">up to {questions}</Stat>
        <Stat label="Time">{Math.round(terms.time_limit_seconds / 60)} min</Stat>
      </WorkHeader>
      <main>
        <p className="notice" data-testid="preview">
          This is a preview. Accept the HIT to get questions of your own.
        </p>
        <Goal terms={terms} />
        {terms.task_description && <p className="description">{terms.task_description}</p>}
        <Instructions name="validation" title="How it works" alwaysOpen>
          <Rules terms={terms} />
        </Instructions>
        <h2 className="sample-title">What it looks like</h2>
        <div className="columns">
          <div className="reading card">
            <h3>{SAMPLE_TITLE}</h3>
            <Passage
              text={SAMPLE_TEXT}
              tokens={SAMPLE_TOKENS}
              marked={rangeOf(SAMPLE_TOKENS, SAMPLE_ANSWER)}
              frozen
              onMark={nothing}
            />
          </div>
          <div className="writing">
            <QuestionCard
              place={1}
              of={questions}
              question="Who sounds the quarter hours today?"
              text={SAMPLE_TEXT}
              tokens={SAMPLE_TOKENS}
              shown={{ answer: SAMPLE_ANSWER, typed: "", cannot: false, answerKey: null }}
              problem={null}
              frozen
              disabled
              onMarked={nothing}
              onTyped={nothing}
              onCannot={nothing}
              onSave={nothing}
            >
              <div className="submit">
                <button type="submit" className="primary" disabled>
                  Save answer
                </button>
              </div>
            </QuestionCard>
          </div>
        </div>
      </main>
    </>
  );
}
