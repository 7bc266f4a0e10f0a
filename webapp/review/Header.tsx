import { Icon } from "../src/design/icons/Icon";
import type { SignedIn } from "./records";
import { address, type Tab } from "./route";
import "./header.css";

interface Props {
  campaign: string;
  reviewer: string;
  role: SignedIn["role"];
  /** Decides about workers. */
  lead: boolean;
  people: boolean;
  tab: Tab;
  waiting: number;
  doubtful: { all: number; waiting: number };
  letters: number;
  onHelp: () => void;
  onLeave: () => void;
}

export function Header({ campaign, reviewer, role, lead, people, tab, waiting, doubtful, letters, onHelp, onLeave }: Props) {
  const tabs: readonly (readonly [Tab, string])[] = [
    ["workers", "Workers"],
    ["candidates", numbered("Candidates", waiting)],
    ...(doubtful.all > 0 ? [["doubtful", numbered("Doubtful", doubtful.waiting)] as const] : []),
    ...(lead ? [["held", "On hold"] as const] : []),
    ...(people ? [["people", "People"] as const] : []),
    ["messages", numbered("Messages", letters)],
    ["log", "Log"],
  ];
  return (
    <header className="review-header">
      <div className="review-header-inner">
        <h1>
          Review <span className="muted">{campaign}</span>
        </h1>
        <nav aria-label="Parts of the review">
          {tabs.map(([name, word]) => (
            <a key={name} href={address(name)} aria-current={tab === name ? "page" : undefined}>
              {word}
            </a>
          ))}
        </nav>
        <div className="review-header-end">
          <span className="muted">
            <span className="visually-hidden">Signed in as </span>
            {reviewer}
            {role !== "reviewer" && ` (${role})`}
          </span>
          <button type="button" className="quiet" onClick={onHelp} aria-label="Keyboard shortcuts">
            <Icon name="keyboard" />
          </button>
          <button type="button" className="quiet" onClick={onLeave}>
            Sign out
          </button>
        </div>
      </div>
    </header>
  );
}

function numbered(word: string, waiting: number): string {
  return waiting > 0 ? `${word} (${waiting})` : word;
}
