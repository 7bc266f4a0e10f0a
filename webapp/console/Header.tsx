import type { Campaign } from "./records";
import { actsAddress, agreementAddress, figuresAddress, peopleAddress, reviewAddress, type Tab, verdictsAddress } from "./route";
import "../review/header.css";

interface Props {
  reviewer: string;
  /** Null while all are listed. */
  campaign: Campaign | null;
  /** There is no other one to choose. */
  isAlone: boolean;
  tab: Tab;
  onLeave: () => void;
}

export function Header({ reviewer, campaign, isAlone, tab, onLeave }: Props) {
  return (
    <header className="review-header">
      <div className="review-header-inner">
        <h1>
          Console{campaign !== null && <span className="muted"> {campaign.id}</span>}
        </h1>
        <nav aria-label="Parts of the console">
          {!isAlone && (
            <a href="#/" aria-current={campaign === null ? "page" : undefined}>
              Campaigns
            </a>
          )}
          {campaign !== null && (
            <>
              <a href={figuresAddress(campaign.key)} aria-current={tab === "figures" ? "page" : undefined}>
                Figures
              </a>
              <a href={peopleAddress(campaign.key)} aria-current={tab === "workers" ? "page" : undefined}>
                Workers
              </a>
              <a href={agreementAddress(campaign.key)} aria-current={tab === "agreement" ? "page" : undefined}>
                Agreement
              </a>
              <a href={verdictsAddress(campaign.key)} aria-current={tab === "verdicts" ? "page" : undefined}>
                Verdicts
              </a>
              {campaign.rights.includes("act") && (
                <a href={actsAddress(campaign.key)} aria-current={tab === "acts" ? "page" : undefined}>
                  Acts
                </a>
              )}
              {campaign.rights.includes("judge") && <a href={reviewAddress(campaign.key)}>Review</a>}
            </>
          )}
        </nav>
        <div className="review-header-end">
          <span className="muted">
            <span className="visually-hidden">Signed in as </span>
            {reviewer}
          </span>
          <button type="button" className="quiet" onClick={onLeave}>
            Sign out
          </button>
        </div>
      </div>
    </header>
  );
}
