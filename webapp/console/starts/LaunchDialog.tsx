/** The launch of a draft: what it may cost, with the balance at the crowd, and then it is done, once. */

import { useEffect, useEffectEvent, useRef, useState } from "react";

import { messageOf, Refusal } from "../../review/api";
import { FormDialog } from "../../review/FormDialog";
import { Problem } from "../../src/design/problem/Problem";
import { Cost } from "../acts/LookView";
import type { Run } from "../App";
import type { Estimate, Launched } from "../records";
import { estimate, launch } from "./calls";
import type { Editing } from "./useDraft";

interface Props {
  editing: Editing;
  token: string;
  run: Run;
  onClose: () => void;
  onLaunched: (done: Launched) => Promise<void>;
}

export function LaunchDialog({ editing: { act, choices }, token, run, onClose, onLaunched }: Props) {
  const [shown, setShown] = useState<Estimate | null>(null);
  const revision = useRef(0); // of what is shown: somebody else may change the draft meanwhile
  const [problem, setProblem] = useState("");
  const heading = useRef<HTMLHeadingElement>(null);
  const guarded = async (deed: () => Promise<void>) => {
    try {
      await deed();
    } catch (error) {
      if (error instanceof Refusal && error.status === 401) {
        await run(() => Promise.reject(error));
        return;
      }
      throw error;
    }
  };
  const look = () =>
    guarded(() =>
      act(async (draft) => {
        const answer = await estimate(draft, token);
        revision.current = draft.revision;
        setShown(answer.estimate);
        return null;
      }),
    );
  const lookAtOnce = useEffectEvent(() => {
    look().catch((error: unknown) => setProblem(messageOf(error)));
  });
  useEffect(() => lookAtOnce(), []);
  useEffect(() => heading.current?.focus(), [shown]); // it is read before anybody can agree
  const isAgreeable = shown !== null && shown.refusal === null;
  const agree = ({ worst_cents }: Estimate) =>
    guarded(() =>
      act(async ({ id }) => {
        try {
          await onLaunched(await launch(id, { revision: revision.current, agreed_cents: worst_cents }, token));
          return null;
        } catch (error) {
          if (error instanceof Refusal && error.status !== 401 && error.status >= 400 && error.status < 500) {
            setShown(null); // it has to be looked at again
          }
          throw error;
        }
      }),
    );
  const send = () => {
    setProblem("");
    return shown !== null && isAgreeable ? agree(shown) : look();
  };
  return (
    <FormDialog title={`Launch ${choices.name}`} action={isAgreeable ? "Launch" : "Show the cost"} onSend={send} onClose={onClose}>
      <p className="small">
        The campaign’s first stage is opened on the crowd, in a process of its own that goes on without this page. The
        other stages, and all else, are in its Acts.
      </p>
      <div role="status">{shown === null && problem === "" && <p>One moment: the crowd is asked for its balance …</p>}</div>
      {shown !== null && (
        <section className="look" aria-label="Before you agree">
          <h3 ref={heading} tabIndex={-1}>
            What it may cost
          </h3>
          <Cost estimate={shown} />
        </section>
      )}
      <Problem message={problem} />
    </FormDialog>
  );
}
