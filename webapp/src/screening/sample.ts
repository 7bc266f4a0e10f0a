/** The text of the previews' samples. It is this project's own. */

import { say } from "../words/say";

export function lighthouse(): { title: string; text: string } {
  return { title: say("screening.sample.title"), text: say("screening.sample.text") };
}
