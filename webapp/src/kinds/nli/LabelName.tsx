/** A label by its words, with a drawing beside them. */

import { Icon } from "../../design/icons/Icon";
import { type Label, wordsOf } from "./labels";
import "./labels.css";

export function LabelName({ label, short = false }: { label: Label; short?: boolean }) {
  const words = wordsOf(label);
  return (
    <span className="label-name" data-label={label}>
      <Icon name={words.icon} />
      {short ? words.short : words.wording}
    </span>
  );
}
