import type { ComponentProps } from "react";

import { TextField, characters } from "../../work/fields/TextField";
import { say } from "../../words/say";

type Given = "name" | "label" | "placeholder" | "text" | "count" | "onText";

interface Props extends Omit<ComponentProps<typeof TextField>, Given> {
  hypothesis: string;
  maxChars: number;
  onHypothesis: (hypothesis: string) => void;
}

export function StatementField({ hypothesis, maxChars, onHypothesis, ...props }: Props) {
  return (
    <TextField
      {...props}
      name="hypothesis"
      label={say("nli.your_statement")}
      placeholder={say("nli.your_statement.placeholder")}
      text={hypothesis}
      count={characters(hypothesis, maxChars)}
      onText={onHypothesis}
    />
  );
}
