/** The three labels with what they mean. */

import { LabelName } from "./LabelName";
import { LABELS } from "./labels";

export function LabelList() {
  return (
    <dl className="label-list">
      {LABELS.map(({ label, help }) => (
        <div key={label}>
          <dt>
            <LabelName label={label} />
          </dt>
          <dd>{help}</dd>
        </div>
      ))}
    </dl>
  );
}
