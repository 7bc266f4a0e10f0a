/** Beat the AI at reading comprehension: one HIT, from where its writer stands. */

import { Notice } from "../../session/Notice";
import { Opening } from "../../work/Opening";
import { WritingPage } from "../../writing/WritingPage";
import { type Hit, isTask, readTerms } from "../../writing/hit";
import type { Page, WorkProps } from "../page";
import { Preview } from "./Preview";

function Work({ config, task, ...others }: WorkProps) {
  if (!isTask(task)) {
    return (
      <Notice title="This HIT has no passage">Please return it and try another one. Nothing of yours is lost.</Notice>
    );
  }
  return (
    <Opening<{ hit: Hit }> desk={others.desk} refusal="The HIT could not be opened">
      {({ hit }) => <WritingPage terms={readTerms(config)} task={task} initial={hit} {...others} />}
    </Opening>
  );
}

export const page: Page = { Work, Preview };
