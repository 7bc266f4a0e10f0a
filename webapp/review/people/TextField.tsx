import { useId } from "react";

interface Props {
  label: string;
  value: string;
  onChange: (value: string) => void;
  hint?: string;
  isNumber?: boolean;
  isOptional?: boolean;
  autoFocus?: boolean;
  /** Offered while somebody types. */
  offered?: readonly string[];
}

export function TextField({ label, value, onChange, hint, isNumber, isOptional, autoFocus, offered }: Props) {
  const id = useId();
  return (
    <div className="field">
      <label htmlFor={id}>
        {label}
        {isOptional && <span className="muted"> (optional)</span>}
      </label>
      <input
        id={id}
        type="text"
        inputMode={isNumber ? "numeric" : undefined}
        autoComplete="off"
        spellCheck={false}
        value={value}
        onChange={(event) => onChange(event.target.value)}
        aria-describedby={hint === undefined ? undefined : `${id}-hint`}
        list={offered === undefined ? undefined : `${id}-offered`}
        autoFocus={autoFocus}
      />
      {hint !== undefined && (
        <p id={`${id}-hint`} className="muted small">
          {hint}
        </p>
      )}
      {offered !== undefined && (
        <datalist id={`${id}-offered`}>
          {offered.map((text) => (
            <option key={text} value={text} />
          ))}
        </datalist>
      )}
    </div>
  );
}

/** The number that a field holds. Throws words for whoever wrote something else there. */
export function wholeNumber(text: string, label: string): number {
  if (!/^\d{1,9}$/.test(text.trim())) {
    throw new Error(`${label} must be a whole number.`);
  }
  return Number(text);
}
