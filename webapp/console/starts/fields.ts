/** The choices of a draft in words, and what is wrong with each. */

import type { StartDraft } from "../records";

export const WORDS: Readonly<Record<string, string>> = {
  task: "Task",
  name: "Name",
  preset: "Preset",
  model: "Model",
  has_file: "Contexts",
  crowd: "Crowd",
  has_consent: "Consent",
  workspace: "Workspace",
  person: "Parameter of the person",
  finish_url: "Address to go back to",
  done: "Code",
  hits: "HITs",
  reward: "Reward",
  cap: "Cap",
  minutes: "Minutes of a HIT",
  hourly: "Pay by the hour",
  others: "Other settings",
};

export function faultAt({ faults }: StartDraft, field: string): string {
  return faults.find((one) => one.field === field)?.message ?? "";
}
