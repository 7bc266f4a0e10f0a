/** The page's `Typing`, which sees the page come to the front and go. */

import { useEffect, useState } from "react";

import { Typing } from "./typing";

/** `isNew` says whether the first question is begun on this page. */
export function useTyping(isNew: () => boolean): Typing {
  const [typing] = useState(() => new Typing(isNew(), document.hasFocus()));
  useEffect(() => {
    const came = () => typing.focus(true);
    const went = () => typing.focus(false);
    window.addEventListener("focus", came);
    window.addEventListener("blur", went);
    return () => {
      window.removeEventListener("focus", came);
      window.removeEventListener("blur", went);
    };
  }, [typing]);
  return typing;
}
