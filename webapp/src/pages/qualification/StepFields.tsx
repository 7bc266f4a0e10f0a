/** A passage on one side, on the other what a step asks for. */

import { useMemo } from "react";

import { MarkedAnswer } from "../../kinds/reading_comprehension/MarkedAnswer";
import { QuestionField } from "../../kinds/reading_comprehension/QuestionField";
import { TypedAnswer } from "../../kinds/reading_comprehension/TypedAnswer";
import { Passage } from "../../passage/Passage";
import { rangeOf, spanOf, tokenise } from "../../passage/tokens";
import { Quotation } from "../../screening/Quotation";
import type { Responding } from "../../screening/kind";
import { Columns } from "../../work/Columns";
import { ExampleCard, ExamplePassage } from "../../work/guide/Examples";
import { ofData } from "../../words/data";
import { say } from "../../words/say";
import type { Example, QuestionTypes, QuizTerms } from "./steps";

export function StepFields({ terms, step, entry, ...props }: Responding<QuestionTypes> & { terms: QuizTerms }) {
  const { problem, frozen, id, onEdit } = props;
  const { title, text } = step.passage;
  const tokens = useMemo(() => tokenise(text), [text]);
  const hasAnswer = step.kind === "question";
  const answer = hasAnswer ? step.answer : entry.answer;
  return (
    <Columns
      reading={
        <>
          <h2 {...ofData()}>{title}</h2>
          <Passage
            text={text}
            tokens={tokens}
            marked={answer && rangeOf(tokens, answer)}
            frozen={frozen || hasAnswer}
            onMark={(range) => onEdit({ answer: range && spanOf(text, tokens, range), typed: "" })}
          />
        </>
      }
    >
      <form className="composer card" onSubmit={props.onSubmit} noValidate>
        <h2 ref={props.heading} tabIndex={-1}>
          {say(`reading_screening.instruction.${step.kind}`)}
        </h2>
        {hasAnswer && step.answer && <Quotation name={say("reading_screening.answer")} text={step.answer.text} />}
        {step.question !== null && <Quotation name={say("reading_screening.question")} text={step.question} />}
        {step.kind !== "answer" && (
          <QuestionField
            id={id}
            question={entry.question}
            problem={problem}
            maxQuestionChars={terms.max_question_chars}
            frozen={frozen}
            onQuestion={(question) => onEdit({ question })}
          />
        )}
        {!hasAnswer && (
          <>
            <MarkedAnswer
              answer={entry.answer}
              frozen={frozen}
              onClear={() => onEdit({ answer: null, typed: "" })}
            />
            <TypedAnswer
              id={`${id}-typed`}
              text={text}
              tokens={tokens}
              typed={entry.typed}
              answer={entry.answer}
              wrong={problem?.field === "answer"}
              frozen={frozen}
              onTyped={(typed, span) => onEdit({ typed, answer: span })}
            />
          </>
        )}
        {props.ending}
      </form>
      {props.mistakes}
      <StepExamples passage={step.example_passage} examples={step.examples} />
    </Columns>
  );
}

function StepExamples({ passage, examples }: { passage: string | null; examples: readonly Example[] }) {
  if (examples.length === 0) {
    return null;
  }
  return (
    <section className="examples" aria-label={say("screening.examples")}>
      {passage !== null && <ExamplePassage text={passage} />}
      {examples.map(({ good, text, why }) => (
        <ExampleCard key={text} example={{ text, why }} good={good} />
      ))}
    </section>
  );
}
