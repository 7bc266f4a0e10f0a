/** The reader's language, where the campaign offers more than one. Another one takes effect by a reload: drafts are kept. */

import "./languageChoice.css";
import { chooseLanguage, nameOfLanguage, offeredLanguages } from "./languages";
import { language, say } from "./say";

export function LanguageChoice() {
  const offered = offeredLanguages();
  if (offered.length < 2) {
    return null;
  }
  const choose = (tag: string) => {
    chooseLanguage(tag);
    location.reload();
  };
  return (
    <nav className="language-choice" aria-label={say("session.language")}>
      <label htmlFor="language">{say("session.language")}</label>
      <select id="language" value={language()} onChange={(event) => choose(event.target.value)}>
        {[...offered].sort().map((tag) => (
          <option key={tag} value={tag} lang={tag}>
            {nameOfLanguage(tag)}
          </option>
        ))}
      </select>
    </nav>
  );
}
