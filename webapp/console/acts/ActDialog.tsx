/** An act in a dialog: its values, then what it may cost, and then it is done. Nothing is done unseen. */

import { useEffect, useEffectEvent, useRef, useState } from "react";

import { messageOf, Refusal } from "../../review/api";
import { FormDialog } from "../../review/FormDialog";
import { Problem } from "../../src/design/problem/Problem";
import type { Run } from "../App";
import type { Acts } from "../records";
import { ActFields } from "./ActFields";
import { wordsOf } from "./actWords";
import { deed, lookAt } from "./calls";
import { type Draft, isFilledIn, type Look } from "./draft";
import { LookView } from "./LookView";

interface Props {
  draft: Draft;
  acts: Acts;
  token: string;
  run: Run;
  onChange: (draft: Draft) => void;
  onDone: (told: string) => void;
  onClose: () => void;
}

/** What is wrong with a value, told beside its field. */
export interface Wrong {
  field: string;
  message: string;
}

export function ActDialog({ draft, acts, token, run, onChange, onDone, onClose }: Props) {
  const { title, what, isDangerous = false } = wordsOf(draft.of, acts.words, draft.only);
  const [wrong, setWrong] = useState<Wrong | null>(null);
  const [problem, setProblem] = useState("");
  const [isLooking, setLooking] = useState(false);
  const look = useRef<HTMLHeadingElement>(null);
  const isShown = draft.look !== null;
  const wasShown = useRef(isShown);
  useEffect(() => {
    if (isShown && !wasShown.current) {
      look.current?.focus(); // it is read before anybody can agree
    }
    wasShown.current = isShown;
  }, [isShown]);

  const attempt = async (act: () => Promise<void>) => {
    setWrong(null);
    setProblem("");
    try {
      await act();
    } catch (error) {
      if (error instanceof Refusal && error.status === 401) {
        await run(() => Promise.reject(error)); // the draft is kept meanwhile
        return;
      }
      const field = error instanceof Refusal ? fieldOf(draft, error) : null;
      if (field === null) {
        throw error;
      }
      setWrong({ field, message: messageOf(error) });
    }
  };
  const latest = useRef(draft);
  useEffect(() => {
    latest.current = draft;
  }, [draft]);
  const show = (of: Draft) =>
    attempt(async () => {
      const shown = await lookAt(of, token);
      if (isSame(of, latest.current)) {
        onChange({ ...of, look: shown });
      }
    });
  const showNow = async (of: Draft) => {
    setLooking(true);
    try {
      await show(of);
    } catch (error) {
      setProblem(messageOf(error));
    } finally {
      setLooking(false);
    }
  };
  const agree = (agreed: Look) =>
    attempt(async () => {
      try {
        onDone((await deed(draft, agreed, token)).told);
      } catch (error) {
        if (error instanceof Refusal && error.status !== 401 && error.status >= 400 && error.status < 500) {
          onChange({ ...draft, look: null }); // it has to be looked at again
        }
        throw error;
      }
    });
  const lookAtOnce = useEffectEvent(() => {
    if (!isShown && (!isFilledIn(draft) || draft.file !== null)) {
      void showNow(draft);
    }
  });
  useEffect(() => lookAtOnce(), []);

  const isAgreeable = draft.look !== null && mayBeAgreedTo(draft.look);
  const send = () => (draft.look !== null && isAgreeable ? agree(draft.look) : show(draft));
  const edit = (next: Draft) => {
    setWrong(null);
    setProblem("");
    onChange({ ...next, look: null });
    if (next.file !== null && next.file !== draft.file) {
      void showNow({ ...next, look: null });
    }
  };
  return (
    <FormDialog
      title={title}
      action={isAgreeable ? title : "Show the cost"}
      isDangerous={isDangerous && isAgreeable}
      onSend={send}
      onClose={onClose}
    >
      <p className="small">{what}</p>
      <ActFields draft={draft} acts={acts} wrong={wrong} onChange={edit} />
      <div role="status">{isLooking && <p>One moment …</p>}</div>
      {draft.look !== null && <LookView look={draft.look} file={draft.file} words={acts.words} heading={look} />}
      <Problem message={problem} />
    </FormDialog>
  );
}

function mayBeAgreedTo({ estimate, preview }: Look): boolean {
  return (estimate === null || estimate.refusal === null) && (preview === null || preview.faults.length === 0);
}

/** Whether nobody has changed a value meanwhile. */
function isSame(one: Draft, other: Draft): boolean {
  return one.texts === other.texts && one.members === other.members && one.file === other.file;
}

/** The field that a refusal is about; null for another one, or for none. */
function fieldOf({ of, texts }: Draft, { field, status }: Refusal): string | null {
  const changed = Object.keys(texts);
  if (field !== null && (changed.includes(field) || of.fields.includes(field))) {
    return field;
  }
  const [only] = changed;
  return of.action === "change_terms" && changed.length === 1 && status === 400 && only !== undefined ? only : null;
}
