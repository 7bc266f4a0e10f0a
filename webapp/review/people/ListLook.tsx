/** What a list says, before anybody is added. */

import type { ListPreview } from "../records";
import { people } from "./words";

export function ListLook({ file, preview }: { file: string; preview: ListPreview }) {
  const { added, here, repeated, first, faults, more_faults } = preview;
  return (
    <div className="list-look">
      <p>
        <strong>
          <bdi>{file}</bdi>
        </strong>
        : {people(added)} to add{here > 0 && `, ${here} here already`}
        {repeated > 0 && `, ${repeated} repeated`}.
      </p>
      {first.length > 0 && (
        <p className="small">
          First: <bdi>{first.map(({ name, email }) => (email === null ? name : `${name} (${email})`)).join("; ")}</bdi>
        </p>
      )}
      {faults.length > 0 && (
        <>
          <p>
            <strong>Wrong lines</strong>
          </p>
          <ul className="faults">
            {faults.map(({ line, reason }) => (
              <li key={line}>
                Line {line}: <bdi>{reason}</bdi>
              </li>
            ))}
            {more_faults > 0 && <li>And {more_faults} more.</li>}
          </ul>
        </>
      )}
    </div>
  );
}
