/** What a player sees before accepting the HIT: the rules, and a question in the middle with every control switched off. */

import { CheckingPreview } from "../../checking/CheckingPreview";
import { DisabledSubmit } from "../../work/fields/DisabledSubmit";
import type { PreviewProps } from "../page";
import { PlayCard } from "./PlayCard";
import { QuestionText } from "./QuestionText";
import { playingGuide } from "./guide";
import "./page.css";
import { readTerms } from "./plays";

const TEXT =
  "Some valleys of this place have seen no rain for longer than there have been people to write about it. An American " +
  "who had flown over it named his huts there after his home country,";

const nothing = () => undefined;

export function Preview({ config }: PreviewProps) {
  const terms = readTerms(config);
  const revealed = { text: TEXT, words: TEXT.split(" ").length, ended: false };
  return (
    <CheckingPreview
      terms={terms}
      items="questions"
      guide={playingGuide(terms)}
      reading={<QuestionText category="Geography" revealed={revealed} />}
    >
      <PlayCard
        context={{ id: "sample", title: "Geography", text: "" }}
        item={{ id: "sample", context_id: "sample", work: {} }}
        place={1}
        of={terms.works_per_hit}
        entry={{ buzzed: true, said: "Antarctica", unknown: false }}
        problem={null}
        frozen
        done={false}
        onEdit={nothing}
        onSave={nothing}
        buttons={<DisabledSubmit label="Save answer" />}
        revealed={revealed}
        reading={false}
        pace="normal"
        onPace={nothing}
        onStart={nothing}
        onNext={nothing}
        onStop={nothing}
        disabled
      />
    </CheckingPreview>
  );
}
