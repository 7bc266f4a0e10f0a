/** The text of the previews' samples. It is this project's own. */

import { say } from "../words/say";

export function clock(): { title: string; text: string } {
  return { title: say("checking.sample.title"), text: say("checking.sample.text") };
}
