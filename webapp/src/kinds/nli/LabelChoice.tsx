/** One of the three labels is chosen for a statement. */

import { type ReactNode, useId } from "react";

import { LabelName } from "./LabelName";
import { LABELS, type Label } from "./labels";
import "./labelChoice.css";

interface Props {
  /** Of the group, in the form. */
  name: string;
  legend: ReactNode;
  label: Label | null;
  disabled: boolean;
  /** Narrow: without what the labels mean, and without the keys by which they are chosen. */
  compact?: boolean;
  onLabel: (label: Label) => void;
  /** Further choices. */
  children?: ReactNode;
}

export function LabelChoice({ name, legend, label, disabled, compact = false, onLabel, children }: Props) {
  return (
    <fieldset className="label-choice" data-compact={compact} disabled={disabled}>
      <legend dir="auto">{legend}</legend>
      {LABELS.map((words, index) => (
        <ChoiceCard
          key={words.label}
          name={name}
          checked={label === words.label}
          shortcut={compact ? null : String(index + 1)}
          help={compact ? null : words.help}
          onChoose={() => onLabel(words.label)}
        >
          <LabelName label={words.label} short={compact} />
        </ChoiceCard>
      ))}
      {children}
    </fieldset>
  );
}

interface CardProps {
  name: string;
  checked: boolean;
  /** The key that chooses it, shown beside it. */
  shortcut: string | null;
  help: string | null;
  onChoose: () => void;
  children: ReactNode;
}

export function ChoiceCard({ name, checked, shortcut, help, onChoose, children }: CardProps) {
  const id = useId();
  return (
    <label className="choice-card" data-checked={checked}>
      <input
        type="radio"
        name={name}
        checked={checked}
        aria-labelledby={`${id}-words`}
        aria-describedby={`${id}-help`}
        onChange={onChoose}
      />
      <span className="choice-words">
        <span id={`${id}-words`}>{children}</span>
        <span id={`${id}-help`} className="choice-help">
          {help}
        </span>
      </span>
      {shortcut !== null && <kbd aria-hidden="true">{shortcut}</kbd>}
    </label>
  );
}
