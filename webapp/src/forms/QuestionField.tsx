/** A question of a survey with the fields of its type. */

import { say } from "../words/say";
import type { FormQuestion } from "./records";
import type { Given } from "./answers";

interface Props {
  id: string;
  question: FormQuestion;
  given: Given;
  /** This question is what the server complains of; `describedBy` has its words. */
  problem: boolean;
  describedBy: string;
  onChange: (given: Given) => void;
}

export function QuestionField(props: Props) {
  switch (props.question.type) {
    case "choice":
      return <Options {...props} options={props.question.options ?? []} several={props.question.several === true} />;
    case "scale":
      return <Scale {...props} />;
    default:
      return <Line {...props} />;
  }
}

function Line({ id, question, given, problem, describedBy, onChange }: Props) {
  const common = {
    id,
    name: question.id,
    value: String(given),
    required: question.required,
    "aria-invalid": problem,
    "aria-describedby": describedBy,
  };
  return (
    <div className="field" data-question={question.id}>
      <label htmlFor={id}>
        <span dir="auto">{question.text}</span>
        <Optional question={question} />
      </label>
      {question.type === "text" ? (
        <textarea
          {...common}
          rows={3}
          dir="auto"
          maxLength={question.max_chars ?? undefined}
          onChange={(event) => onChange(event.target.value)}
        />
      ) : (
        <input
          {...common}
          type={question.type === "date" ? "date" : "text"}
          inputMode={question.type === "number" ? (question.decimals ? "decimal" : "numeric") : undefined}
          autoComplete="off"
          onChange={(event) => onChange(event.target.value)}
        />
      )}
    </div>
  );
}

function Options({ id, question, given, problem, describedBy, onChange, options, several }: Props & { options: string[]; several: boolean }) {
  const chosen = Array.isArray(given) ? given : [given];
  const choose = (option: string, on: boolean) =>
    onChange(several ? options.filter((one) => (one === option ? on : chosen.includes(one))) : option);
  return (
    <fieldset className="field form-choice" data-question={question.id} aria-describedby={problem ? describedBy : undefined}>
      <legend>
        <span dir="auto">{question.text}</span>
        {several && <span className="muted"> {say("forms.several")}</span>}
        <Optional question={question} />
      </legend>
      {options.map((option, number) => (
        <label key={option} htmlFor={`${id}-${number}`}>
          <input
            id={`${id}-${number}`}
            type={several ? "checkbox" : "radio"}
            name={id}
            checked={chosen.includes(option)}
            aria-invalid={problem}
            onChange={(event) => choose(option, event.target.checked)}
          />
          <span dir="auto">{option}</span>
        </label>
      ))}
    </fieldset>
  );
}

function Scale({ id, question, given, problem, describedBy, onChange }: Props) {
  const lowest = question.lowest ?? 1;
  const values = Array.from({ length: (question.highest ?? 5) - lowest + 1 }, (_, step) => String(lowest + step));
  const named = (value: string) =>
    value === values[0] ? question.low_label : value === values[values.length - 1] ? question.high_label : "";
  return (
    <fieldset className="field form-scale" data-question={question.id} aria-describedby={problem ? describedBy : undefined}>
      <legend>
        <span dir="auto">{question.text}</span>
        <Optional question={question} />
      </legend>
      <div className="form-steps">
        {values.map((value) => (
          <label key={value} htmlFor={`${id}-${value}`}>
            <input
              id={`${id}-${value}`}
              type="radio"
              name={id}
              checked={given === value}
              aria-invalid={problem}
              onChange={() => onChange(value)}
            />
            <span>
              {value} {named(value) && <small dir="auto">{named(value)}</small>}
            </span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}

function Optional({ question }: { question: FormQuestion }) {
  return question.required ? null : <span className="muted"> {say("forms.optional")}</span>;
}
