import { useId } from "react";

interface Props {
  label: string;
  value: string;
  /** Values with their words. */
  options: readonly (readonly [string, string])[];
  /** The words for no choice, where that is one. */
  none?: string;
  hint?: string;
  /** What is wrong with the choice; empty if nothing is. */
  wrong?: string;
  onChange: (value: string) => void;
}

export function SelectField({ label, value, options, none, hint = "", wrong = "", onChange }: Props) {
  const id = useId();
  const isExplained = hint !== "" || wrong !== "";
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <select
        id={id}
        value={value}
        aria-describedby={isExplained ? `${id}-hint` : undefined}
        aria-invalid={wrong !== "" || undefined}
        onChange={(event) => onChange(event.target.value)}
      >
        {none !== undefined && <option value="">{none}</option>}
        {options.map(([name, words]) => (
          <option key={name} value={name}>
            {words}
          </option>
        ))}
      </select>
      {isExplained && (
        <p id={`${id}-hint`} className="small">
          {wrong === "" ? <span className="muted">{hint}</span> : <span className="wrong">{wrong}</span>}
        </p>
      )}
    </div>
  );
}
