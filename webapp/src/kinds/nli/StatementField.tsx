import type { ComponentProps } from "react";

import { TextField } from "../../work/fields/TextField";

interface Props extends Omit<ComponentProps<typeof TextField>, "name" | "label" | "placeholder" | "text" | "onText"> {
  hypothesis: string;
  onHypothesis: (hypothesis: string) => void;
}

export function StatementField({ hypothesis, onHypothesis, ...props }: Props) {
  return (
    <TextField
      {...props}
      name="hypothesis"
      label="Your statement"
      placeholder="Write one sentence about the text …"
      text={hypothesis}
      onText={onHypothesis}
    />
  );
}
