import { say } from "../words/say";

/** What a page counts while somebody writes (`typing.ts`), disclosed. */
export function Records({ work }: { work: string }) {
  return <p>{say("writing.records", { work })}</p>;
}
