/** The frame around the three tabs, and what they share: the session, the overview, what went wrong. */

import { useCallback, useEffect, useEffectEvent, useState } from "react";

import { type Change, get, messageOf, post, Refusal, type Sent } from "./api";
import type { Outcome, Overview, QualificationRequests, SignedIn } from "./records";
import { Candidates } from "./Candidates";
import { type Desk, type Requested, lag } from "./desk";
import { Doubtful } from "./Doubtful";
import { Header } from "./Header";
import { Inbox } from "./Inbox";
import { ProvideWords } from "./kindWords";
import { Log } from "./Log";
import { OnHold } from "./OnHold";
import { People } from "./people/People";
import { usePlace } from "../src/address/place";
import { Problem } from "../src/design/problem/Problem";
import { titleOf, useRoute } from "./route";
import { ReviewShortcuts } from "./ReviewShortcuts";
import { useKeys } from "./useKeys";
import { useQueue } from "./useQueue";
import { WorkerPage } from "./WorkerPage";
import { Workers } from "./Workers";

interface Props {
  session: SignedIn;
  hasEntered: boolean;
  onSessionChanged: () => Promise<void>;
}

export function ReviewPage({ session, hasEntered, onSessionChanged }: Props) {
  const { tab, worker, assignment } = useRoute();
  const main = usePlace(`${tab}/${worker ?? ""}`, titleOf(tab, worker), hasEntered);
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
  const load = useCallback(() => run(async () => setOverview(await get<Overview>("api/overview"))), [run]);
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
      const { requests: list } = await get<QualificationRequests>("api/requests");
      setRequests({ list, problem: "" });
    } catch (error) {
      setRequests({ list: [], problem: messageOf(error) }); // told where they would stand: all else goes on without them
    }
  }, []);
  useEffect(() => void loadRequests(), [loadRequests, tab]);
  useKeys({ "?": () => setHelp(true) });

  const send = useCallback(<T,>(path: string, content: Sent) => post<T>(path, content, token), [token]);
  const reload = useCallback(async () => void (await Promise.all([load(), loadRequests()])), [load, loadRequests]);
  const changeStanding = useCallback(
    async (of: string, change: Change, reason: string, confirmation = "") => {
      const event = await send<Outcome>("api/standings", { worker: of, change, reason, confirmation });
      await reload();
      const behind = lag(event);
      if (behind !== null) {
        setProblem(behind);
      }
    },
    [send, reload],
  );
  const lead = session.rights.includes("decide");
  const desk: Desk = { reviewer: session.reviewer, lead, run, send, reload, changeStanding };
  const seeAll = (all: boolean) =>
    run(async () => {
      await send("api/results", { all });
      await onSessionChanged();
    });
  const leave = () =>
    run(async () => {
      await send("api/sign-out", {});
      await onSessionChanged();
    });

  return (
    <>
      <Header
        campaign={session.campaign}
        reviewer={session.reviewer}
        role={session.role}
        lead={lead}
        people={session.people}
        tab={tab}
        waiting={(overview?.candidates ?? 0) + requests.list.filter(({ standing }) => standing !== "candidate").length}
        doubtful={overview?.doubtful ?? { all: 0, waiting: 0 }}
        letters={overview?.letters ?? 0}
        onHelp={() => setHelp(true)}
        onLeave={leave}
      />
      <main ref={main} tabIndex={-1}>
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
            {tab === "held" && <OnHold desk={desk} />}
            {tab === "people" && session.people && <People desk={desk} />}
            {tab === "people" && !session.people && (
              <p className="card">Leads manage people here, where a campaign has people of its own.</p>
            )}
            {tab === "messages" && <Inbox desk={desk} onAnswered={load} />}
            {tab === "log" && <Log desk={desk} />}
          </ProvideWords>
        )}
      </main>
      {help && <ReviewShortcuts onClose={() => setHelp(false)} />}
    </>
  );
}
