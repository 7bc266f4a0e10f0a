import type { ComponentProps } from "react";

import { TextField } from "../../work/fields/TextField";

type Given = "name" | "label" | "placeholder" | "text" | "maxChars" | "onText";

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
      label="Your question"
      placeholder="Ask something that the passage answers …"
      text={question}
      maxChars={maxQuestionChars}
      onText={onQuestion}
    />
  );
}
