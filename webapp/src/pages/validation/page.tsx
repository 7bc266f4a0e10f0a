/** Answer validation: one HIT, from where its validator stands. */

import { Notice } from "../../session/Notice";
import { Opening } from "../../work/Opening";
import type { Page, WorkProps } from "../page";
import { Preview } from "./Preview";
import { ValidationPage } from "./ValidationPage";
import { type Hit, isTask, readTerms } from "./hit";

function Work({ config, task, ...others }: WorkProps) {
  if (!isTask(task)) {
    return (
      <Notice title="This HIT has no questions">Please return it and try another one. Nothing of yours is lost.</Notice>
    );
  }
  return (
    <Opening<{ hit: Hit }> desk={others.desk} refusal="The HIT could not be opened">
      {({ hit }) => <ValidationPage terms={readTerms(config)} task={task} initial={hit} {...others} />}
    </Opening>
  );
}

export const page: Page = { Work, Preview };
