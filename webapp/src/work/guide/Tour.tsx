/** The guide in a dialog, one chapter after the other: by itself at a worker's first HIT, later from the header. */

import { useEffect, useRef, useState } from "react";

import { Dialog } from "../../design/dialog/Dialog";
import { say } from "../../words/say";
import type { Guide } from "./guide";
import "./guide.css";

interface Props {
  guide: Guide;
  /** It came up by itself, and the work begins after it. */
  first: boolean;
  onClose: () => void;
}

export function Tour({ guide: { chapters }, first, onClose }: Props) {
  const [place, setPlace] = useState(0);
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), [place]);
  const { title, body } = chapters[place]!;
  const last = place === chapters.length - 1;
  const heads = (
    <>
      <span className="tour-place">{say("work.tour", { place: place + 1, chapters: chapters.length })}</span>{" "}
      {title}
    </>
  );
  return (
    <Dialog title={heads} heading={heading} className="tour" onClose={onClose}>
      <div className="chapter">{body}</div>
      <div className="actions tour-actions">
        {/* The same button from end to end, so that the focus stays where it is pressed again and again. */}
        <button type="button" className="primary" onClick={last ? onClose : () => setPlace(place + 1)}>
          {say(!last ? "work.tour.next" : first ? "work.tour.start" : "work.tour.close")}
        </button>
        <button type="button" disabled={place === 0} onClick={() => setPlace(place - 1)}>
          {say("work.tour.back")}
        </button>
        {!last && (
          <button type="button" className="quiet" onClick={onClose}>
            {say(first ? "work.tour.skip" : "work.tour.close")}
          </button>
        )}
      </div>
    </Dialog>
  );
}
