/** The frame around the three tabs, and what they share: the session, the overview, what went wrong. */

import { useCallback, useEffect, useEffectEvent, useState } from "react";

import { type Change, get, messageOf, post, Refusal, type Sent } from "./api";
import type { Outcome, Overview, QualificationRequests, SignedIn } from "./records";
import { Candidates } from "./Candidates";
import type { Desk, Requested } from "./desk";
import { Doubtful } from "./Doubtful";
import { Header } from "./Header";
import { ProvideWords } from "./kindWords";
import { Log } from "./Log";
import { Problem } from "../src/design/problem/Problem";
import { useRoute } from "./route";
import { ReviewShortcuts } from "./ReviewShortcuts";
import { useKeys } from "./useKeys";
import { useQueue } from "./useQueue";
import { WorkerPage } from "./WorkerPage";
import { Workers } from "./Workers";

interface Props {
  session: SignedIn;
  onSessionChanged: () => Promise<void>;
}

export function ReviewPage({ session, onSessionChanged }: Props) {
  const { tab, worker, assignment } = useRoute();
  const [overview, setOverview] = useState<Overview | null>(null);
  const [requests, setRequests] = useState<Requested>({ list: [], problem: "" });
  const [problem, setProblem] = useState("");
  const [help, setHelp] = useState(false);
  const token = session.form_token;

  const run = useCallback(
    async (act: () => Promise<void>) => {
      try {
        setProblem("");
        await act();
      } catch (error) {
        if (error instanceof Refusal && error.status === 401) {
          await onSessionChanged();
        } else {
          setProblem(messageOf(error));
        }
      }
    },
    [onSessionChanged],
  );
  const load = useCallback(() => run(async () => setOverview(await get<Overview>("/api/overview"))), [run]);
  const queue = useQueue(run);
  const isList = worker === null;
  const loadWhereNeeded = useEffectEvent(() => {
    if (isList || overview === null) {
      void load();
    }
    if (isList && tab === "workers") {
      void queue.reload();
    }
    if (worker !== null) {
      queue.visited.current = worker;
    }
  });
  useEffect(() => loadWhereNeeded(), [session.sees_all, tab, worker]);
  const loadRequests = useCallback(async () => {
    try {
      const { requests: list } = await get<QualificationRequests>("/api/requests");
      setRequests({ list, problem: "" });
    } catch (error) {
      setRequests({ list: [], problem: messageOf(error) }); // told where they would stand: all else goes on without them
    }
  }, []);
  useEffect(() => void loadRequests(), [loadRequests, tab]);
  useKeys({ "?": () => setHelp(true) });

  const send = useCallback(<T,>(path: string, content: Sent) => post<T>(path, content, token), [token]);
  const changeStanding = useCallback(
    async (of: string, change: Change, reason: string, confirmation = "") => {
      const event = await send<Outcome>("/api/standings", { worker: of, change, reason, confirmation });
      await Promise.all([load(), loadRequests()]);
      if (event.answer === "declined" || event.answer === "unanswered") {
        setProblem(
          `It holds here at once, but the marketplace did not follow: ${event.answer_note ?? event.answer}. ` +
            "Run `beat-the-ai review reconcile` later.",
        );
      }
    },
    [send, load, loadRequests],
  );
  const desk: Desk = { reviewer: session.reviewer, lead: session.lead, run, send, changeStanding };
  const seeAll = (all: boolean) =>
    run(async () => {
      await send("/api/results", { all });
      await onSessionChanged();
    });
  const leave = () =>
    run(async () => {
      await send("/api/sign-out", {});
      await onSessionChanged();
    });

  return (
    <>
      <Header
        campaign={session.campaign}
        reviewer={session.reviewer}
        lead={session.lead}
        tab={tab}
        waiting={(overview?.candidates ?? 0) + requests.list.filter(({ standing }) => standing !== "candidate").length}
        doubtful={overview?.doubtful ?? { all: 0, waiting: 0 }}
        onHelp={() => setHelp(true)}
        onLeave={leave}
      />
      <main>
        <Problem message={problem} />
        {overview === null ? (
          <p role="status">One moment …</p>
        ) : (
          <ProvideWords value={overview.words}>
            {tab === "workers" && worker === null && (
              <Workers overview={overview} queue={queue} seesAll={session.sees_all} onSeeAll={seeAll} />
            )}
            {tab === "workers" && worker !== null && (
              <WorkerPage key={worker} worker={worker} assignment={assignment} overview={overview} desk={desk} />
            )}
            {tab === "candidates" && <Candidates desk={desk} requested={requests} />}
            {tab === "doubtful" && <Doubtful desk={desk} onSettled={load} />}
            {tab === "log" && <Log desk={desk} />}
          </ProvideWords>
        )}
      </main>
      {help && <ReviewShortcuts onClose={() => setHelp(false)} />}
    </>
  );
}
