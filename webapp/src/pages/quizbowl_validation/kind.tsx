/** Playing questions that others wrote, word by word. */

import { useSyncExternalStore } from "react";

import type { Terms } from "../../checking/hit";
import type { CheckingKind, Judging } from "../../checking/kind";
import { say } from "../../words/say";
import { PlayCard } from "./PlayCard";
import { QuestionText } from "./QuestionText";
import { playingGuide } from "./guide";
import { NO_PLAY, type Play, type PlayEntry, entryOf, findProblem, isOver, isPlayEntry, playOf } from "./plays";
import type { Reader } from "./reader";
import { playingShortcuts } from "./shortcuts";

type Playing = Judging<unknown, PlayEntry>;

export function playing(terms: Terms, reader: Reader): CheckingKind<unknown, Play, PlayEntry> {
  return {
    work: "question",
    final: true,
    guide: playingGuide(terms),
    aim: say("quizbowl_checking.aim"),
    shortcuts: (onEdit) => playingShortcuts(reader, onEdit),
    empty: NO_PLAY,
    isEntry: isPlayEntry,
    voteOf: playOf,
    entryOf,
    findProblem,
    isReady: (item, entry) => {
      const { shown, reading } = reader.state();
      return reading !== item && isOver(entry, shown[item]);
    },
    reading: (judging) => <Text key={judging.item.id} judging={judging} reader={reader} />,
    card: (judging) => <Card key={judging.item.id} judging={judging} reader={reader} />,
  };
}

function Text({ judging, reader }: { judging: Playing; reader: Reader }) {
  const { shown, reading } = useSyncExternalStore(reader.subscribe, reader.state);
  const { id } = judging.item;
  return <QuestionText category={judging.context.title} revealed={shown[id]} reading={reading === id} />;
}

function Card({ judging, reader }: { judging: Playing; reader: Reader }) {
  const { shown, reading, pace, failed } = useSyncExternalStore(reader.subscribe, reader.state);
  const { id } = judging.item;
  return (
    <PlayCard
      {...judging}
      problem={judging.problem ?? (failed?.item === id ? failed.problem : null)}
      revealed={shown[id]}
      reading={reading === id}
      pace={pace}
      onPace={(each) => reader.setPace(each)}
      onStart={() => {
        if (judging.entry.buzzed) {
          judging.onEdit({ buzzed: false }); // at nothing: no word had come
        }
        reader.start(id);
      }}
      onNext={() => reader.step()}
      onStop={() => reader.stop()}
    />
  );
}
