import { useId } from "react";

interface Props {
  label: string;
  value: string;
  /** Values with their words. */
  options: readonly (readonly [string, string])[];
  /** The words for no choice, where that is one. */
  none?: string;
  onChange: (value: string) => void;
}

export function SelectField({ label, value, options, none, onChange }: Props) {
  const id = useId();
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <select id={id} value={value} onChange={(event) => onChange(event.target.value)}>
        {none !== undefined && <option value="">{none}</option>}
        {options.map(([name, words]) => (
          <option key={name} value={name}>
            {words}
          </option>
        ))}
      </select>
    </div>
  );
}
