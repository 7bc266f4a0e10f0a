/** One of the three labels is chosen for a statement. */

import type { ReactNode } from "react";

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
          onChoose={() => onLabel(words.label)}
        >
          <LabelName label={words.label} short={compact} />
          {!compact && <span className="choice-help">{words.help}</span>}
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
  onChoose: () => void;
  children: ReactNode;
}

export function ChoiceCard({ name, checked, shortcut, onChoose, children }: CardProps) {
  return (
    <label className="choice-card" data-checked={checked}>
      <input type="radio" name={name} checked={checked} onChange={onChoose} />
      <span className="choice-words">{children}</span>
      {shortcut !== null && <kbd aria-hidden="true">{shortcut}</kbd>}
    </label>
  );
}
