import { type DragEvent, useRef } from "react";

interface Props {
  label: string;
  file: File | null;
  onChange: (file: File) => void;
}

/** A file that is chosen or dropped. */
export function FileField({ label, file, onChange }: Props) {
  const input = useRef<HTMLInputElement>(null);
  const drop = (event: DragEvent) => {
    event.preventDefault();
    const [dropped] = event.dataTransfer.files;
    if (dropped) {
      onChange(dropped);
    }
  };
  return (
    <div className="field drop" role="group" aria-label={label} onDrop={drop} onDragOver={(event) => event.preventDefault()}>
      <span>{label}</span>
      <div className="actions">
        <button type="button" onClick={() => input.current?.click()}>
          {file === null ? "Choose a file …" : "Choose another file …"}
        </button>
        {file !== null && <bdi>{file.name}</bdi>}
      </div>
      <input
        ref={input}
        type="file"
        hidden
        onChange={({ target }) => {
          const [chosen] = target.files ?? [];
          if (chosen) {
            onChange(chosen);
          }
          target.value = ""; // so that the same file, corrected, can be chosen again
        }}
      />
      <p className="muted small">Or drop it here: JSON Lines, JSON or CSV, also as .gz; at most 32 MiB unpacked.</p>
    </div>
  );
}
