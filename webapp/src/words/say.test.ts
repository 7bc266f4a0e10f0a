import { type MessageFormatElement, parse } from "@formatjs/icu-messageformat-parser";
import { IntlMessageFormat } from "intl-messageformat";
import { describe, expect, test } from "vitest";

import cases from "./cases.json";

const shownBy = (elements: MessageFormatElement[], language: string, args: object) =>
  new IntlMessageFormat(elements, language).format(args as Record<string, string | number>);

/** The same cases as tests/messages/test_icu.py. */
describe.each(cases)("$message in $language", ({ message, language, args, shown, compiled }) => {
  test("is shown alike by page and server", () => {
    expect(shownBy(parse(message), language, args)).toBe(shown);
  });

  test("is shown so, too, as the server has read it", () => {
    expect(typeof compiled === "string" ? compiled : shownBy(compiled as MessageFormatElement[], language, args)).toBe(shown);
  });
});
