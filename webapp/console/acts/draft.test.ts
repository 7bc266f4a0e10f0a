import { expect, test } from "vitest";

import type { Possible } from "../records";
import { begun, isFilledIn, valuesOf } from "./draft";

function possible(action: string, fields: string[], rest: Partial<Possible> = {}): Possible {
  return { action, fields, stage: null, number: null, refusal: null, ...rest };
}

test("the stage and the round of an act are sent, and nobody fills them in", () => {
  const closing = begun("ann", "pilot", possible("close_stage", ["stage"], { stage: "writing" }));
  expect([isFilledIn(closing), valuesOf(closing)]).toEqual([false, { stage: "writing" }]);
  const freezing = begun("ann", "pilot", possible("freeze_round", ["number"], { number: 2 }));
  expect(valuesOf(freezing)).toEqual({ number: 2 });
});

test("changed settings are sent as KEY=VALUE, and without any nothing is sent", () => {
  const changing = begun("ann", "pilot", possible("change_terms", ["values"]));
  expect(() => valuesOf(changing)).toThrow("change a value");
  expect(valuesOf({ ...changing, texts: { "round.max_hits": " 7 " } })).toEqual({ values: ["round.max_hits=7"] });
});

test("a round has its models, and its terms line by line", () => {
  const opening = begun("ann", "pilot", possible("open_round", ["number", "values", "members", "file"], { number: 2 }));
  const filled = { ...opening, members: ["onnx:a"], texts: { values: "round.max_hits=9\n\n pay.cap_cents=5 " } };
  expect(valuesOf(filled)).toEqual({
    number: 2,
    members: ["onnx:a"],
    values: ["round.max_hits=9", "pay.cap_cents=5"],
  });
});

test("a sum in dollars is sent in cents, and no number is refused", () => {
  const measuring = begun("ann", "pilot", possible("measure_models", ["max_cents"]));
  expect(valuesOf(measuring)).toEqual({});
  expect(valuesOf({ ...measuring, texts: { max_cents: "1.15" } })).toEqual({ max_cents: 115 });
  const training = begun("ann", "pilot", possible("train_models", ["weight"]));
  expect(valuesOf(training)).toEqual({ weight: 1 });
  expect(() => valuesOf({ ...training, texts: { weight: "much" } })).toThrow("must be a number");
});

test("contexts are added from a file", () => {
  expect(() => valuesOf(begun("ann", "pilot", possible("add_contexts", ["file"])))).toThrow("choose a file");
});
