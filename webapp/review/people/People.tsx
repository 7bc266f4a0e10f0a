/** The people of the campaign's crowd, as leads manage them. */

import { useEffect, useRef, useState } from "react";

import type { Desk } from "../desk";
import type { Link, Person } from "../records";
import { peopleActs } from "./acts";
import { type Asked, ChosenBar } from "./ChosenBar";
import { GroupDialog } from "./GroupDialog";
import { ImportDialog } from "./ImportDialog";
import { InviteDialog } from "./InviteDialog";
import { LinkOnce } from "./LinkOnce";
import { OpenLinkDialog } from "./OpenLinkDialog";
import { OpenLinks } from "./OpenLinks";
import { PeopleList } from "./PeopleList";
import { RemoveDialog } from "./RemoveDialog";
import { Seek } from "./Seek";
import { usePeople } from "./usePeople";
import { type Change, DONE_WORDS, nameOf, people as peopleWord } from "./words";
import "./people.css";

type Shown = Asked | "invite-new" | "open-link" | "import" | { link: string; of: Person } | null;

export function People({ desk }: { desk: Desk }) {
  const { run, send } = desk;
  const people = usePeople(run);
  const [shown, show] = useState<Shown>(null);
  const [said, setSaid] = useState("");
  const title = useRef<HTMLHeadingElement>(null);
  const chosenOnes = useRef<HTMLParagraphElement>(null);
  const next = useRef<typeof chosenOnes | typeof title | null>(null); // takes the focus: the button may be gone
  const { page, crowd, sought, chosen } = people;
  useEffect(() => {
    if (shown === null && next.current !== null) {
      next.current.current?.focus(); // a dialog has given the focus back before
      next.current = null;
    }
  });
  const [first] = chosen;
  const acts = peopleActs(send);
  const close = () => show(null);
  const done = (changed: readonly Person[], words: string) => {
    people.replace(changed);
    const [one] = changed;
    setSaid(`${changed.length === 1 && one ? nameOf(one) : peopleWord(changed.length)}: ${words}.`);
    next.current = chosenOnes;
  };
  const change = (to: Change) => run(async () => done(await acts.changeState(chosen, to), DONE_WORDS[to]));
  const signInLink = (of: Person) =>
    run(async () => show({ link: (await send<Link>("api/people/sign-in-links", { worker: of.worker })).link, of }));
  const groups = crowd?.groups.map(({ name }) => name) ?? [];
  return (
    <>
      <div className="lead">
        <h2 ref={title} tabIndex={-1}>
          People
        </h2>
        <div className="actions">
          <button type="button" className="primary" onClick={() => show("invite-new")} disabled={crowd === null}>
            Invite somebody …
          </button>
          <button type="button" onClick={() => show("open-link")} disabled={crowd === null}>
            New open link …
          </button>
          <button type="button" onClick={() => show("import")} disabled={crowd === null}>
            Import …
          </button>
        </div>
      </div>
      <p role="status" className="people-said">
        {said}
      </p>
      {crowd !== null && (
        <OpenLinks
          links={crowd.links}
          desk={desk}
          onClosed={(left, { id }) => {
            people.showCrowd(left);
            next.current = title;
            setSaid(`Nobody can join by the link ${id} any more.`);
          }}
        />
      )}
      <Seek sought={sought} crowd={crowd} onSeek={people.seek} />
      {page === null ? <p>One moment …</p> : <PeopleList people={people} page={page} />}
      {first !== undefined && (
        <ChosenBar
          chosen={chosen}
          heading={chosenOnes}
          onAsk={show}
          onChange={change}
          onSignInLink={signInLink}
          onNone={() => people.choose(chosen.map(({ worker }) => worker), false)}
        />
      )}
      {(shown === "invite-new" || shown === "invite") && crowd !== null && (
        <InviteDialog
          person={shown === "invite" ? (first ?? null) : null}
          mails={crowd.mails}
          send={send}
          onInvited={({ name, link }) => {
            people.reload();
            setSaid(`${name}: ${link === null ? "invitation sent" : "link made"}.`);
          }}
          onClose={close}
        />
      )}
      {shown === "open-link" && crowd !== null && (
        <OpenLinkDialog crowd={crowd} send={send} onMade={people.reload} onClose={close} />
      )}
      {shown === "import" && (
        <ImportDialog
          groups={groups}
          send={send}
          onImported={({ added, here }) => {
            people.reload();
            setSaid(`${peopleWord(added)} added, ${here} here before.`);
          }}
          onClose={close}
        />
      )}
      {shown === "groups" && (
        <GroupDialog
          chosen={chosen}
          groups={groups}
          onChange={async (how, group) =>
            done(await acts.changeGroup(chosen, how, group), `${how === "add" ? "in" : "no longer in"} ${group}`)
          }
          onClose={close}
        />
      )}
      {shown === "remove" && first !== undefined && (
        <RemoveDialog
          person={first}
          onRemove={async (typed) => done(await acts.changeState([first], "remove", typed), DONE_WORDS.remove)}
          onClose={close}
        />
      )}
      {shown !== null && typeof shown === "object" && (
        <LinkOnce title="Link to sign in" link={shown.link} onClose={close}>
          It signs <bdi>{nameOf(shown.of)}</bdi> in once, within a week.
        </LinkOnce>
      )}
    </>
  );
}
