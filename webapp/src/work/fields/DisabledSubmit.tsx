import "./fields.css";

/** The button that sends what was written, in a preview. */
export function DisabledSubmit({ label }: { label: string }) {
  return (
    <div className="submit">
      <button type="submit" className="primary" disabled>
        {label}
      </button>
    </div>
  );
}
