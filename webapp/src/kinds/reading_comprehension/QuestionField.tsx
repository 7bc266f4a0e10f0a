import type { ComponentProps } from "react";

import { TextField, characters } from "../../work/fields/TextField";
import { say } from "../../words/say";

type Given = "name" | "label" | "placeholder" | "text" | "count" | "onText";

interface Props extends Omit<ComponentProps<typeof TextField>, Given> {
  question: string;
  maxQuestionChars: number;
  onQuestion: (question: string) => void;
}

export function QuestionField({ question, maxQuestionChars, onQuestion, ...props }: Props) {
  return (
    <TextField
      {...props}
      name="question"
      label={say("reading.your_question")}
      placeholder={say("reading.your_question.placeholder")}
      text={question}
      count={characters(question, maxQuestionChars)}
      onText={onQuestion}
    />
  );
}
