/** Leads to the worker's own page of results and letters, which outlives the HIT. */

import { useEffect, useState } from "react";

import type { Desk } from "../pages/page";
import { language, say } from "../words/say";
import "./lettersLink.css";

export function LettersLink({ desk }: { desk: Desk }) {
  const [address, setAddress] = useState("");
  useEffect(() => {
    let current = true;
    void desk.call<{ address: string }>("letters", {}).then((reply) => {
      if (current && reply.ok) {
        setAddress(reply.address);
      }
    });
    return () => {
      current = false;
    };
  }, [desk]);
  return address === "" ? null : (
    <nav className="letters-link" aria-label={say("session.letters.label")}>
      <a href={`${address}?lang=${language()}`} target="_blank" rel="noopener">
        {say("session.letters")}
      </a>{" "}
      {say("session.letters.new_tab")}
    </nav>
  );
}
