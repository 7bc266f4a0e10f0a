import { useEffect, useId, useRef } from "react";

interface Props {
  label: string;
  hint: string;
  value: string;
  /** What is wrong with it; empty if nothing is. */
  wrong: string;
  isLong?: boolean;
  /** A fault takes the focus to the field, unless it is only noticed while somebody writes. */
  isStill?: boolean;
  onChange: (value: string) => void;
}

/** A text with its hint and its fault beside it. */
export function ValueField({ label, hint, value, wrong, isLong = false, isStill = false, onChange }: Props) {
  const id = useId();
  const field = useRef<HTMLInputElement & HTMLTextAreaElement>(null);
  useEffect(() => {
    if (wrong !== "" && !isStill) {
      field.current?.focus();
    }
  }, [wrong, isStill]);
  const shared = {
    id,
    ref: field,
    autoComplete: "off",
    spellCheck: false,
    value,
    "aria-describedby": `${id}-hint`,
    "aria-invalid": wrong !== "",
  };
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      {isLong ? (
        <textarea {...shared} rows={3} onChange={({ target }) => onChange(target.value)} />
      ) : (
        <input {...shared} type="text" onChange={({ target }) => onChange(target.value)} />
      )}
      <p id={`${id}-hint`} className="small">
        {wrong === "" ? <span className="muted">{hint}</span> : <span className="wrong">{wrong}</span>}
      </p>
    </div>
  );
}
