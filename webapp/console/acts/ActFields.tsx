/** The values of an act that a person gives, each with what is wrong with it. */

import type { Acts } from "../records";
import type { Wrong } from "./ActDialog";
import type { Draft } from "./draft";
import { FileField } from "./FileField";
import { Members } from "./Members";
import { SettingFields } from "./SettingFields";
import { ValueField } from "./ValueField";

interface Props {
  draft: Draft;
  acts: Acts;
  wrong: Wrong | null;
  onChange: (draft: Draft) => void;
}

export function ActFields({ draft, acts, wrong, onChange }: Props) {
  const { of, texts } = draft;
  const wrongAt = (field: string) => (wrong?.field === field ? wrong.message : "");
  const write = (field: string) => (text: string) => onChange({ ...draft, texts: { ...texts, [field]: text } });
  if (of.action === "change_terms") {
    return <SettingFields draft={draft} wrong={wrong} onChange={onChange} />;
  }
  return (
    <>
      {of.fields.includes("members") && <Members draft={draft} members={acts.members} onChange={onChange} />}
      {of.fields.includes("file") && (
        <FileField
          label={of.action === "open_round" ? `New ${acts.words.contexts} (optional)` : `A file of ${acts.words.contexts}`}
          file={draft.file}
          onChange={(file) => onChange({ ...draft, file })}
        />
      )}
      {of.action === "open_round" && (
        <ValueField
          label="Other terms (optional)"
          hint="KEY=VALUE, one a line, as round.max_hits=200."
          isLong
          value={texts.values ?? ""}
          wrong={wrongAt("values")}
          onChange={write("values")}
        />
      )}
      {of.fields.includes("weight") && (
        <ValueField
          label="Weight of collected examples"
          hint="Against ordinary training data: 1 counts each example once."
          value={texts.weight ?? "1"}
          wrong={wrongAt("weight")}
          onChange={write("weight")}
        />
      )}
      {of.fields.includes("max_cents") && (
        <ValueField
          label="Most to spend on each model with a price (optional)"
          hint="In US dollars. Models without a price cost nothing."
          value={texts.max_cents ?? ""}
          wrong={wrongAt("max_cents")}
          onChange={write("max_cents")}
        />
      )}
    </>
  );
}
