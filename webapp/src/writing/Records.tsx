/** What a page counts while somebody writes (`typing.ts`), disclosed. */
export function Records({ work }: { work: string }) {
  return (
    <p>
      With each {work}: how many keys it took and how much was pasted (never which keys, nor what), when the first key
      came, and how long this page was in front. It helps reviewers to tell writing from copying; a person decides, and
      your pay does not depend on it.
    </p>
  );
}
