import { ofData } from "../words/data";

/** The heading of the text that is worked on: its own title, or what the page calls such a text. */
export function ContextTitle({ title, otherwise }: { title: string; otherwise: string }) {
  const own = title.replaceAll("_", " ");
  return <h2 {...(own === "" ? {} : ofData())}>{own || otherwise}</h2>;
}
