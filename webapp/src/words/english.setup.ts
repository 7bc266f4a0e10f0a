/** Before tests: functions that say something say it in English. */

import { speakEnglish } from "./english";

const OF_EVENTS = import.meta.glob<Record<string, string>>("../../../src/beat_the_ai/kinds/*/*/words/en/*.json", {
  eager: true,
  import: "default",
});

speakEnglish(OF_EVENTS);
