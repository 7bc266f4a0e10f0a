/** Fields that the page has no own view for, such as a validator's vote, each by its name. */

import type { Fields } from "./api";
import { spelled } from "./words";
import "./fieldsList.css";

export function FieldsList({ fields, className }: { fields: Fields; className?: string }) {
  return (
    <dl className={`fields ${className ?? ""}`}>
      {Object.entries(fields)
        .filter(([, value]) => value !== null && value !== "")
        .map(([name, value]) => (
          <div key={name}>
            <dt>{spelled(name)}</dt>
            <dd dir="auto">{shown(value)}</dd>
          </div>
        ))}
    </dl>
  );
}

function shown(value: unknown): string {
  if (typeof value === "boolean") {
    return value ? "yes" : "no";
  }
  if (typeof value === "object" && value !== null) {
    const { text } = value as Fields;
    return typeof text === "string" ? `“${text}”` : JSON.stringify(value);
  }
  return String(value);
}
