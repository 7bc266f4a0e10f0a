/** What a campaign is about: its name, its preset, its model and its contexts. */

import { useState } from "react";

import { messageOf } from "../../review/api";
import { SelectField } from "../../review/SelectField";
import { Problem } from "../../src/design/problem/Problem";
import { FileField } from "../acts/FileField";
import { LookView } from "../acts/LookView";
import { ValueField } from "../acts/ValueField";
import type { Run } from "../App";
import type { FilePreview } from "../records";
import { read, sendContexts, startJob } from "./calls";
import { faultAt } from "./fields";
import type { Editing } from "./useDraft";

interface Props {
  editing: Editing;
  token: string;
  run: Run;
}

export function TaskFields({ editing, token, run }: Props) {
  const { draft, choices, edit } = editing;
  return (
    <section className="card" aria-labelledby="task">
      <h3 id="task">Task</h3>
      <ValueField
        label="Name"
        hint="Letters, digits, . _ and -. It is also the name of the campaign’s folder."
        value={choices.name}
        wrong={faultAt(draft, "name")}
        isStill
        onChange={(name) => edit({ name })}
      />
      <SelectField
        label="Task"
        value={choices.task}
        options={draft.tasks.map((name) => [name, name])}
        wrong={faultAt(draft, "task")}
        onChange={(task) => edit({ task, preset: "", model: "", pilot: "" })}
      />
      <SelectField
        label="Preset"
        value={choices.preset}
        none="None: as the task has it"
        options={draft.presets.map(({ name, title }) => [name, `${title} – ${name}`])}
        hint="The settings of a paper’s campaign. What you choose below stands above them."
        wrong={faultAt(draft, "preset")}
        onChange={(preset) => edit({ preset })}
      />
      <Model editing={editing} token={token} run={run} />
      <Contexts editing={editing} token={token} />
    </section>
  );
}

function Model({ editing, token, run }: Props) {
  const { draft, choices, edit, act } = editing;
  const chosen = draft.models.find(({ name }) => name === choices.model);
  const members = chosen?.members.join(", ") ?? draft.defaults?.model ?? "";
  const figures = chosen ?? draft.models.find((one) => one.members.join(", ") === members);
  const isChecking = draft.jobs.some(({ name, stands }) => name === "check" && stands === "running");
  return (
    <>
      <SelectField
        label="Model"
        value={choices.model}
        none="As the task or the preset has it"
        options={draft.models.map(({ name }) => [name, name])}
        wrong={faultAt(draft, "model")}
        onChange={(model) => edit({ model })}
      />
      {members !== "" && (
        <dl className="facts small">
          <div>
            <dt>Loads</dt>
            <dd>{members}</dd>
          </div>
          {figures?.published && (
            <div>
              <dt>Published</dt>
              <dd>{figures.published}</dd>
            </div>
          )}
          <div>
            <dt>Checked</dt>
            <dd>{figures?.checked ?? "never, as far as is known here"}</dd>
          </div>
        </dl>
      )}
      <div className="actions">
        <button
          type="button"
          disabled={draft.faults.length > 0}
          aria-disabled={isChecking || undefined}
          onClick={() => {
            if (!isChecking) {
              void run(() => act(({ id }) => startJob(id, "check", token)));
            }
          }}
        >
          Check the model
        </button>
        {isChecking && <span className="muted small">It is being checked …</span>}
      </div>
    </>
  );
}

function Contexts({ editing: { draft, choices, edit, act }, token }: Omit<Props, "run">) {
  const [file, setFile] = useState<File | null>(null);
  const [preview, setPreview] = useState<FilePreview | null>(null);
  const [problem, setProblem] = useState("");
  const [isSending, setSending] = useState(false);
  const words = draft.words?.contexts ?? "contexts";
  const choose = async (chosen: File) => {
    setFile(chosen);
    setPreview(null);
    setProblem("");
    setSending(true);
    try {
      await act(async (kept) => {
        setPreview(await sendContexts(kept, chosen, token));
        return read(kept.id);
      });
    } catch (error) {
      setProblem(messageOf(error));
    }
    setSending(false);
  };
  const isFaulty = preview !== null && preview.faults.length > 0;
  return (
    <>
      <fieldset className="choices">
        <legend>{sentence(words)}</legend>
        <label>
          <input type="radio" name="contexts" checked={!choices.has_file} onChange={() => edit({ has_file: false })} />
          Those of the task
        </label>
        <label>
          <input type="radio" name="contexts" checked={choices.has_file} onChange={() => edit({ has_file: true })} />
          A file
        </label>
      </fieldset>
      {choices.has_file && (
        <>
          <div className="small" role="status">
            {draft.contexts !== null && (
              <p>
                Kept here: <bdi>{draft.contexts.name}</bdi>, {draft.contexts.number.toLocaleString("en")} {words}.
              </p>
            )}
            {isSending && <p>One moment: the file is read …</p>}
            {isFaulty && (
              <p>
                <bdi>{file?.name}</bdi> was not kept: it has faults.
              </p>
            )}
          </div>
          <FileField label={`A file of ${words}`} file={file} onChange={(chosen) => void choose(chosen)} />
          {isFaulty && draft.words !== null && (
            <LookView look={{ estimate: null, preview, request: "" }} file={file} words={draft.words} heading={null} />
          )}
          <p className="small wrong">{isFaulty ? "" : faultAt(draft, "has_file")}</p>
        </>
      )}
      <Problem message={problem} />
    </>
  );
}

function sentence(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}
