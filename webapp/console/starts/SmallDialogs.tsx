/** What is asked before a draft is discarded, and before a job of it is stopped. */

import { Refusal } from "../../review/api";
import { FormDialog } from "../../review/FormDialog";
import type { Run } from "../App";
import type { Job } from "../records";
import { discard, stopJob } from "./calls";
import type { Editing } from "./useDraft";

interface Props {
  token: string;
  run: Run;
  onClose: () => void;
}

export function DiscardDialog({ id, token, run, onDone, onClose }: Props & { id: string; onDone: () => void }) {
  const send = async () => {
    await discard(id, token);
    onClose();
    onDone();
  };
  return (
    <FormDialog title="Discard this draft" action="Discard" isDangerous onSend={() => signedIn(run, send)} onClose={onClose}>
      <p>Its choices, its file and its rehearsal are removed. Campaigns stay.</p>
    </FormDialog>
  );
}

export function StopDialog({ job, editing, token, run, onClose }: Props & { job: Job; editing: Editing }) {
  const send = async () => {
    await editing.act(({ id }) => stopJob(id, job, token));
    onClose();
  };
  return (
    <FormDialog
      title={`Stop the ${job.name}`}
      action="Stop"
      isDangerous
      onSend={() => signedIn(run, send)}
      onClose={onClose}
    >
      <p>All of its processes end at once. The draft stays, and the {job.name} can be started again.</p>
    </FormDialog>
  );
}

/** Do something; whose session is over signs in again, and the dialog closes. */
async function signedIn(run: Run, deed: () => Promise<void>): Promise<void> {
  try {
    await deed();
  } catch (error) {
    if (!(error instanceof Refusal && error.status === 401)) {
      throw error;
    }
    await run(() => Promise.reject(error));
  }
}
