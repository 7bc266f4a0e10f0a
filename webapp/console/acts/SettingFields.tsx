/** The settings of a campaign: those that may change can be edited, and those that may not say why. */

import { useEffect, useState } from "react";

import { get, messageOf } from "../../review/api";
import { Problem } from "../../src/design/problem/Problem";
import type { Setting, SettingsList } from "../records";
import { Table } from "../Table";
import type { Wrong } from "./ActDialog";
import type { Draft } from "./draft";
import { ValueField } from "./ValueField";

interface Props {
  draft: Draft;
  wrong: Wrong | null;
  onChange: (draft: Draft) => void;
}

export function SettingFields({ draft, wrong, onChange }: Props) {
  const [settings, setSettings] = useState<readonly Setting[] | null>(null);
  const [problem, setProblem] = useState("");
  const { campaign, only, texts } = draft;
  useEffect(() => {
    get<SettingsList>(`api/acts/settings?${new URLSearchParams({ campaign })}`).then(
      (list) => setSettings(list.settings.filter(({ key }) => key.startsWith(only))),
      (error: unknown) => setProblem(messageOf(error)),
    );
  }, [campaign, only]);
  if (settings === null) {
    return problem === "" ? <p role="status">One moment …</p> : <Problem message={problem} />;
  }
  const write = ({ key, value }: Setting, text: string) => {
    const { [key]: _, ...others } = texts;
    onChange({ ...draft, texts: text === value ? others : { ...others, [key]: text } });
  };
  const open = settings.filter(({ may_change }) => may_change);
  const fixed = settings.filter(({ may_change }) => !may_change);
  return (
    <>
      {open.length === 0 && <p>Nothing of it can change now.</p>}
      {open.map((setting) => (
        <ValueField
          key={setting.key}
          label={setting.key}
          hint={`${setting.reason} In effect ${setting.takes_effect}.`}
          value={texts[setting.key] ?? setting.value}
          wrong={wrong?.field === setting.key ? wrong.message : ""}
          onChange={(text) => write(setting, text)}
        />
      ))}
      {fixed.length > 0 && (
        <details className="wraps">
          <summary>What cannot change now</summary>
          <Table
            name="Settings that cannot change now"
            heads
            header={["Setting", "Value", "Why"]}
            rows={fixed.map(({ key, value, reason }) => [key, value, reason])}
          />
        </details>
      )}
    </>
  );
}
