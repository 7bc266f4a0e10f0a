import { Icon } from "../src/design/icons/Icon";
import type { Standing } from "./records";
import { STANDING_WORDS } from "./words";
import "./standingBadge.css";

interface Props {
  standing: Standing | null;
  recommended: boolean;
  proposed?: boolean;
}

export function StandingBadge({ standing, recommended, proposed = false }: Props) {
  const out = standing === "revoked" || standing === "blocked";
  return (
    <p className="badges">
      <span className="badge" data-standing={standing ?? "none"}>
        <Icon name={out ? "bad" : standing === "qualified" ? "good" : "clock"} />
        {standing === null ? "No standing" : STANDING_WORDS[standing]}
      </span>
      {recommended && !out && (
        <span className="badge" data-standing="recommended">
          <Icon name="warning" />
          Revocation recommended
        </span>
      )}
      {proposed && !out && (
        <span className="badge" data-standing="recommended">
          <Icon name="clock" />
          Revocation waits for a second lead
        </span>
      )}
    </p>
  );
}
