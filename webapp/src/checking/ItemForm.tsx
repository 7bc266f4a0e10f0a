/** The form of one item: its place among the others, its text, and the fields for what is said of it. */

import type { FormEvent, ReactNode } from "react";

import { ProblemNote } from "../work/fields/ProblemNote";
import { ofData } from "../words/data";
import { say } from "../words/say";
import type { Judging, Work } from "./kind";

interface Props<Shown, Entry> {
  id: string;
  judging: Judging<Shown, Entry>;
  work: Work;
  /** What stands in the heading; an item that is shown elsewhere has none. */
  text?: string;
  /** Whether it can be saved now. */
  ready?: boolean;
  children: ReactNode;
}

export function ItemForm<Shown, Entry>({ id, judging, work, text, ready = true, children }: Props<Shown, Entry>) {
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    judging.onSave();
  };
  const place = say("checking.item", { work, place: judging.place, count: judging.of });
  return (
    <form className="composer card" onSubmit={onSubmit} noValidate aria-labelledby={`${id}-${work}`}>
      <h2 ref={judging.heading} id={`${id}-${work}`} tabIndex={-1} data-testid={work}>
        {text === undefined ? (
          place
        ) : (
          <>
            <span className="item-place">{place}</span>
            <span className="item-text" {...ofData()}>
              {text}
            </span>
          </>
        )}
      </h2>
      {children}
      <ProblemNote id={id} problem={judging.problem} />
      {ready && judging.buttons}
    </form>
  );
}
