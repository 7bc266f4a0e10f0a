/** Makes a link by which several people can join. */

import { useState } from "react";

import type { Desk } from "../desk";
import type { Crowd, Link } from "../records";
import { FormDialog } from "../FormDialog";
import { LinkOnce } from "./LinkOnce";
import { TextField, wholeNumber } from "./TextField";

interface Props {
  crowd: Crowd;
  send: Desk["send"];
  onMade: () => void;
  onClose: () => void;
}

const RULES = { anybody: "Anybody with the link", approval: "Whoever a lead approves", domain: "E-mail addresses of a domain" };
type Rule = keyof typeof RULES;

export function OpenLinkDialog({ crowd, send, onMade, onClose }: Props) {
  const [places, setPlaces] = useState("50");
  const [days, setDays] = useState("30");
  const [rule, setRule] = useState<Rule>("anybody");
  const [domain, setDomain] = useState("");
  const [group, setGroup] = useState("");
  const [link, setLink] = useState("");
  const rules: readonly Rule[] = crowd.mails ? ["anybody", "approval", "domain"] : ["anybody", "approval"];
  const make = async () => {
    if (rule === "domain" && domain.trim() === "") {
      throw new Error("Please write a domain, as uni.edu.");
    }
    const terms = {
      places: wholeNumber(places, "Places"),
      days: wholeNumber(days, "Days"),
      needs_approval: rule === "approval",
      domain: rule === "domain" ? domain.trim() : "",
      group: group.trim(),
    };
    setLink((await send<Link>("api/people/open-links", terms)).link);
    onMade();
  };
  if (link !== "") {
    return (
      <LinkOnce title="Open link" link={link} onClose={onClose}>
        {places} people can join by it, for {days} days.
      </LinkOnce>
    );
  }
  return (
    <FormDialog title="Open a link for several people" action="Make a link" onSend={make} onClose={onClose}>
      <TextField label="Places" value={places} onChange={setPlaces} isNumber autoFocus />
      <TextField label="Days" value={days} onChange={setDays} isNumber />
      <fieldset className="choices">
        <legend>Who may join</legend>
        {rules.map((name) => (
          <label key={name}>
            <input type="radio" name="rule" checked={rule === name} onChange={() => setRule(name)} />
            {RULES[name]}
          </label>
        ))}
      </fieldset>
      {rule === "domain" && <TextField label="Domain" value={domain} onChange={setDomain} hint="As uni.edu." />}
      <TextField
        label="Group"
        value={group}
        onChange={setGroup}
        isOptional
        offered={crowd.groups.map(({ name }) => name)}
      />
    </FormDialog>
  );
}
