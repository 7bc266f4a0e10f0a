/** The page's `Typing`, which sees the page come to the front and go. */

import { useEffect, useState } from "react";

import { Typing } from "./typing";

/** `isNew` says whether the first question is begun on this page. */
export function useTyping(isNew: () => boolean): Typing {
  const [typing] = useState(() => new Typing(isNew(), document.hasFocus()));
  useEffect(() => {
    const onFocus = () => typing.focus(true);
    const onBlur = () => typing.focus(false);
    window.addEventListener("focus", onFocus);
    window.addEventListener("blur", onBlur);
    return () => {
      window.removeEventListener("focus", onFocus);
      window.removeEventListener("blur", onBlur);
    };
  }, [typing]);
  return typing;
}
