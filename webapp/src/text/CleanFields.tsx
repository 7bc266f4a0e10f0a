/** Text fields lose what has no shape; that is said for a while, for nothing on the page shows it. */

import { useEffect, useState } from "react";

import { cleanFields } from "./shapeless";
import "./cleanFields.css";

const SHOWN_MS = 8000;

export function CleanFields() {
  const [removed, setRemoved] = useState(0);
  useEffect(() => cleanFields(document, setRemoved), []);
  useEffect(() => {
    const timer = setTimeout(() => setRemoved(0), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [removed]);
  return (
    <p role="status" className="cleaned" data-testid="cleaned">
      {removed > 0 && `${removed === 1 ? "An invisible character was" : `${removed} invisible characters were`} removed from your text.`}
    </p>
  );
}
