/** Imports a list: a file is chosen or dropped, looked at, and then added. */

import { type DragEvent, useRef, useState } from "react";

import type { Desk } from "../desk";
import type { Imported, ListPreview } from "../records";
import { FormDialog } from "../FormDialog";
import { contentOf, MAX_FILE_BYTES, TOO_LONG } from "./listFile";
import { ListLook } from "./ListLook";
import { TextField } from "./TextField";

interface Props {
  groups: readonly string[];
  send: Desk["send"];
  onImported: (imported: Imported) => void;
  onClose: () => void;
}

interface Chosen {
  file: string;
  content: string;
  preview: ListPreview;
}

export function ImportDialog({ groups, send, onImported, onClose }: Props) {
  const [chosen, setChosen] = useState<Chosen | null>(null);
  const [said, setSaid] = useState("");
  const [group, setGroup] = useState("");
  const input = useRef<HTMLInputElement>(null);
  const look = async (file: File) => {
    setChosen(null);
    setSaid("One moment …");
    try {
      if (file.size > MAX_FILE_BYTES) {
        throw new Error(TOO_LONG);
      }
      const content = await contentOf(file);
      const preview = await send<ListPreview>("api/people/previews", { file: file.name, content, group: "" });
      setChosen({ file: file.name, content, preview });
      setSaid("");
    } catch (error) {
      setSaid(error instanceof Error ? error.message : String(error));
    }
  };
  const drop = (event: DragEvent) => {
    event.preventDefault();
    const [file] = event.dataTransfer.files;
    if (file) {
      void look(file);
    }
  };
  const add = async () => {
    if (chosen === null) {
      throw new Error("Please choose a file first.");
    }
    if (chosen.preview.faults.length > 0) {
      throw new Error("Nobody is added while a line is wrong. Correct the file, and choose it again.");
    }
    const { file, content } = chosen;
    onImported(await send<Imported>("api/people/lists", { file, content, group: group.trim() }));
    onClose();
  };
  return (
    <FormDialog title="Import a list" action="Import" onSend={add} onClose={onClose}>
      <div className="drop" onDrop={drop} onDragOver={(event) => event.preventDefault()}>
        <button type="button" onClick={() => input.current?.click()}>
          Choose a file …
        </button>
        <input
          ref={input}
          type="file"
          accept=".csv,.tsv,.txt,text/csv,text/plain"
          hidden
          onChange={({ target }) => {
            const [file] = target.files ?? [];
            if (file) {
              void look(file);
            }
            target.value = ""; // so that the same file, corrected, can be chosen again
          }}
        />
        <p className="small">
          Or drop it here. A CSV file with name, email, group or country, or one person a line; at most 2 MB.
        </p>
      </div>
      <div role="status">
        {said && <p>{said}</p>}
        {chosen !== null && <ListLook file={chosen.file} preview={chosen.preview} />}
      </div>
      <TextField label="Group for everybody" value={group} onChange={setGroup} isOptional offered={groups} />
    </FormDialog>
  );
}
