/** What a worker sees before accepting the HIT: what the screening is, its steps, and one of them switched off. */

import { Stat, WorkHeader } from "../../header/WorkHeader";
import { Instructions } from "../../instructions/Instructions";
import { Passage } from "../../passage/Passage";
import { rangeOf, tokenise } from "../../passage/tokens";
import type { PreviewProps } from "../page";
import { QuestionField } from "../reading_comprehension/Composer";
import { dollars } from "../reading_comprehension/money";
import { Guide, Purpose } from "./Guide";
import { Progress } from "./Progress";
import { Given } from "./StepPage";
import { readQuizTerms } from "./screening";

const SAMPLE_TITLE = "The lighthouse at Grey Point";
const SAMPLE_TEXT =
  "The lighthouse at Grey Point was lit for the first time in the autumn of 1871. Its keeper, Ansel Moor, carried the oil " +
  "up 162 steps every evening.";
const SAMPLE_TOKENS = tokenise(SAMPLE_TEXT);
const SAMPLE_ANSWER = { text: "162", start: SAMPLE_TEXT.indexOf("162") };

const nothing = () => undefined;

export function Preview({ config }: PreviewProps) {
  const terms = readQuizTerms(config);
  const steps = [...terms.steps, "sample" as const].map((kind, index) => ({ id: String(index), kind }));
  return (
    <>
      <WorkHeader title={terms.task_title}>
        <Stat label="Pay">{dollars(terms.reward_cents)}</Stat>
        <Stat label="Time">{Math.round(terms.time_limit_seconds / 60)} min</Stat>
      </WorkHeader>
      <main>
        <p className="notice" data-testid="preview">
          This is a preview. Accept the HIT to begin.
        </p>
        <Purpose terms={terms} />
        {terms.task_description && <p className="description">{terms.task_description}</p>}
        <Progress steps={steps} done={-1} />
        <Instructions name="qualification" title="How it works" alwaysOpen>
          <Guide terms={terms} />
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
            <div className="composer card">
              <h3>Write a question that the marked answer answers.</h3>
              <Given name="The answer" text={SAMPLE_ANSWER.text} />
              <QuestionField
                id="preview"
                question="How many stairs did the keeper climb each night?"
                problem={null}
                maxQuestionChars={terms.max_question_chars}
                frozen
                disabled
                onQuestion={nothing}
              />
              <div className="submit">
                <button type="button" className="primary" disabled>
                  Check
                </button>
              </div>
            </div>
          </div>
        </div>
      </main>
    </>
  );
}
