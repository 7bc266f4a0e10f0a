import { ofData } from "../words/data";
/** What a step gives: an answer, or a question. */
export function Quotation({ name, text }: { name: string; text: string }) {
  return (
    <div className="field">
      <p className="field-name">{name}</p>
      <blockquote className="quotation" {...ofData()}>
        {text}
      </blockquote>
    </div>
  );
}
