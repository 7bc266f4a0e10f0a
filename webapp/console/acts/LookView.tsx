/** What an act may cost, and what its file brings, before anybody agrees. */

import type { Ref } from "react";

import { Problem } from "../../src/design/problem/Problem";
import { whole } from "../ProgressCard";
import type { Estimate, FilePreview, Words } from "../records";
import type { Look } from "./draft";

interface Props {
  look: Look;
  file: File | null;
  words: Words;
  heading: Ref<HTMLHeadingElement>;
}

export function LookView({ look: { estimate, preview }, file, words, heading }: Props) {
  const isFaulty = preview !== null && preview.faults.length > 0;
  return (
    <section className="look" aria-label="Before you agree">
      <h3 ref={heading} tabIndex={-1}>
        {isFaulty ? "Faults in the file" : estimate === null ? "This costs nothing" : "What it may cost"}
      </h3>
      {preview !== null && <FileLook preview={preview} name={file?.name ?? ""} contexts={words.contexts} />}
      {estimate !== null && <Cost estimate={estimate} />}
    </section>
  );
}

export function Cost({ estimate: { lines, notes, refusal } }: { estimate: Estimate }) {
  return (
    <>
      <dl className="facts">
        {lines.map(({ name, value, is_total }, at) => (
          <div key={at} className={is_total ? "total" : undefined}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      {notes.length > 0 && (
        <ul className="small notes">
          {notes.map((note, at) => (
            <li key={at}>{note}</li>
          ))}
        </ul>
      )}
      <Problem message={refusal ?? ""} />
    </>
  );
}

function FileLook({ preview, name, contexts }: { preview: FilePreview; name: string; contexts: string }) {
  const { there, repeated, faults } = preview;
  return (
    <>
      <p>
        <strong>
          <bdi>{name}</bdi>
        </strong>
        : {whole(preview.new)} new {contexts}
        {there > 0 && `, ${whole(there)} in the campaign already`}
        {repeated > 0 && `, ${whole(repeated)} repeated`}.
      </p>
      {faults.length > 0 && (
        <>
          <p>Nothing is offered while a line is wrong. Correct the file, and choose it again.</p>
          <ul className="faults small" aria-label="Faults">
            {faults.map(({ place, message }, at) => (
              <li key={at}>
                <strong>{place}</strong>: <bdi>{message}</bdi>
              </li>
            ))}
          </ul>
        </>
      )}
    </>
  );
}
