/** Why a work waits for a person, and what its writer says to that. */

import { Icon } from "../src/design/icons/Icon";
import type { DoubtfulWork } from "./records";
import "./doubtsNote.css";

interface Props {
  doubted: Pick<DoubtfulWork, "doubts" | "appeal" | "admitted">;
}

export function DoubtsNote({ doubted: { doubts, appeal, admitted } }: Props) {
  if (doubts.length === 0) {
    return null;
  }
  const standing = admitted === null ? "Waits for a lead" : admitted ? "Admitted" : "Not admitted";
  return (
    <>
      <p className="note">
        <Icon name="warning" />
        <span dir="auto">
          <strong>{standing}.</strong> {doubts.join(" ")}
        </span>
      </p>
      <p className="appeal" dir="auto">
        The writer says: <q>{appeal}</q>
      </p>
    </>
  );
}
