/** An act that somebody fills in, and what was shown of its cost. It outlives the end of their session. */

import type { Estimate, FilePreview, Possible } from "../records";

/** What a person was shown before they agreed, and the request that is sent after that, however often. */
export interface Look {
  estimate: Estimate | null;
  preview: FilePreview | null;
  request: string;
}

export interface Draft {
  reviewer: string;
  campaign: string;
  of: Possible;
  /** Fewer settings than there are: those that begin so. */
  only: string;
  /** Fields and changed settings, by their names. */
  texts: Readonly<Record<string, string>>;
  members: readonly string[];
  file: File | null;
  look: Look | null;
}

export const MORE = "round.";
const FILLED_IN = ["values", "members", "weight", "max_cents", "file"];

export function begun(reviewer: string, campaign: string, of: Possible, only = ""): Draft {
  return { reviewer, campaign, of, only, texts: {}, members: [], file: null, look: null };
}

/** Whether a person has to fill something in. */
export function isFilledIn({ of }: Draft): boolean {
  return of.fields.some((name) => FILLED_IN.includes(name));
}

/** The values of an act as the server reads them. Throws words for whoever has left something out. */
export function valuesOf({ of, texts, members, file }: Draft): Record<string, unknown> {
  const values: Record<string, unknown> = {};
  for (const name of of.fields) {
    if (name === "stage" || name === "number") {
      values[name] = of[name];
    }
  }
  if (of.action === "change_terms") {
    values.values = Object.entries(texts).map(([key, value]) => `${key}=${value.trim()}`);
    if (Object.keys(texts).length === 0) {
      throw new Error("Please change a value first.");
    }
  }
  if (of.action === "open_round") {
    values.values = linesOf(texts.values ?? "");
    values.members = members;
  }
  if (of.action === "add_contexts" && file === null) {
    throw new Error("Please choose a file first.");
  }
  if (of.fields.includes("weight")) {
    values.weight = numberOf(texts.weight ?? "1", "The weight");
  }
  if (of.fields.includes("max_cents") && (texts.max_cents ?? "").trim() !== "") {
    values.max_cents = Math.round(100 * numberOf(texts.max_cents ?? "", "The sum"));
  }
  return values;
}

function linesOf(text: string): readonly string[] {
  const lines = text.split("\n").map((line) => line.trim());
  return lines.filter((line) => line !== "");
}

function numberOf(text: string, label: string): number {
  const number = Number(text.trim());
  if (text.trim() === "" || !Number.isFinite(number)) {
    throw new Error(`${label} must be a number.`);
  }
  return number;
}
