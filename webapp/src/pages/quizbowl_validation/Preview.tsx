/** What a player sees before accepting the HIT: the rules, and a question in the middle with every control switched off. */

import { CheckingPreview } from "../../checking/CheckingPreview";
import { DisabledSubmit } from "../../work/fields/DisabledSubmit";
import { say } from "../../words/say";
import type { PreviewProps } from "../page";
import { PlayCard } from "./PlayCard";
import { QuestionText } from "./QuestionText";
import { playingGuide } from "./guide";
import "./page.css";
import { readTerms } from "./plays";

const nothing = () => undefined;

export function Preview({ config }: PreviewProps) {
  const terms = readTerms(config);
  const text = say("quizbowl_checking.sample.text");
  const category = say("quizbowl_checking.sample.category");
  const revealed = { text, words: text.split(" ").length, ended: false };
  return (
    <CheckingPreview
      terms={terms}
      work="question"
      guide={playingGuide(terms)}
      reading={<QuestionText category={category} revealed={revealed} />}
    >
      <PlayCard
        context={{ id: "sample", title: category, text: "" }}
        item={{ id: "sample", context_id: "sample", work: {} }}
        place={1}
        of={terms.works_per_hit}
        entry={{ buzzed: true, said: say("quizbowl_checking.sample.answer"), unknown: false }}
        problem={null}
        frozen
        done={false}
        onEdit={nothing}
        onSave={nothing}
        buttons={<DisabledSubmit label={say("checking.save", { work: "question" })} />}
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
