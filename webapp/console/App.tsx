/** Signed in or not; which campaign is shown. */

import { type RefObject, useCallback, useEffect, useRef, useState } from "react";

import { get, messageOf, post, Refusal } from "../review/api";
import { SignIn } from "../review/SignIn";
import { usePlace } from "../src/address/place";
import { Problem } from "../src/design/problem/Problem";
import { ActsPage } from "./acts/ActsPage";
import type { Draft } from "./acts/draft";
import { AgreementPage } from "./AgreementPage";
import { CampaignFigures } from "./CampaignFigures";
import { Header } from "./Header";
import { Home } from "./Home";
import { People } from "./People";
import type { SignedIn, SignedOut } from "./records";
import { titleOf, useRoute } from "./route";
import { StartPage } from "./starts/StartPage";
import { Verdicts } from "./Verdicts";
import { VerdictPage } from "./VerdictPage";

const REFUSED: readonly number[] = [401, 403, 404]; // somebody may see less than before

/** Does something, and shows what goes wrong. A session that is over leads to the sign-in. */
export type Run = (act: () => Promise<void>) => Promise<void>;

export function App() {
  const [session, setSession] = useState<SignedIn | SignedOut | null>(null);
  const [problem, setProblem] = useState("");
  const draft = useRef<Draft | null>(null); // outlives a session that ends meanwhile
  const [hasEntered, setEntered] = useState(false);
  const load = useCallback(async () => {
    try {
      setSession(await get<SignedIn | SignedOut>("api/session"));
      setProblem("");
    } catch (error) {
      setProblem(messageOf(error));
    }
  }, []);
  useEffect(() => void load(), [load]);
  const run = useCallback<Run>(
    async (act) => {
      try {
        await act();
        setProblem("");
      } catch (error) {
        const status = error instanceof Refusal ? error.status : 0;
        if (REFUSED.includes(status)) {
          await load();
        }
        if (status !== 401) {
          setProblem(messageOf(error));
        }
      }
    },
    [load],
  );
  if (session === null) {
    return (
      <main>
        <h1>Console</h1>
        <p role="status">{problem || "One moment …"}</p>
      </main>
    );
  }
  if (session.reviewer === null) {
    const enter = async () => {
      setEntered(true);
      await load();
    };
    return <SignIn title="Console" purpose="Sign in to watch your campaigns." onSignedIn={enter} />;
  }
  return (
    <SignedInPage session={session} problem={problem} hasEntered={hasEntered} draft={draft} run={run} onLoad={load} />
  );
}

interface PageProps {
  session: SignedIn;
  problem: string;
  hasEntered: boolean;
  draft: RefObject<Draft | null>;
  run: Run;
  onLoad: () => Promise<void>;
}

function SignedInPage({ session, problem, hasEntered, draft, run, onLoad }: PageProps) {
  const route = useRoute();
  const launched = useRef(""); // what is to be told of a launch in the campaign's acts
  const only = session.campaigns.length === 1 && !session.may_start ? session.campaigns[0] : undefined;
  const isNone = route.campaign === null && route.start === null;
  const campaign = session.campaigns.find(({ key }) => key === route.campaign) ?? (isNone ? only : undefined);
  const leave = () =>
    run(async () => {
      await post("api/sign-out", {}, session.form_token);
      draft.current = null;
      await onLoad();
    });
  const shown = campaign?.rights.includes("watch") === true ? campaign : null;
  const place = [route.start, shown?.key, route.tab, route.attempt].join("/");
  const main = usePlace(place, titleOf(route, shown?.id ?? null), hasEntered);
  return (
    <>
      <Header reviewer={session.reviewer} campaign={shown} isAlone={only !== undefined} tab={route.tab} onLeave={leave} />
      <main ref={main} tabIndex={-1}>
        <Problem message={problem} />
        {campaign === undefined && route.campaign !== null && (
          <p className="card">
            There is no campaign <bdi>{route.campaign}</bdi> here, or your account does not see it.
          </p>
        )}
        {shown === null && route.start === null && <Home session={session} run={run} />}
        {shown === null && route.start !== null && (
          <StartPage
            key={route.start}
            id={route.start}
            session={session}
            run={run}
            onLaunched={async (told) => {
              launched.current = told;
              await onLoad();
            }}
          />
        )}
        {shown !== null && route.tab === "figures" && <CampaignFigures key={shown.key} campaign={shown.key} run={run} />}
        {shown !== null && route.tab === "workers" && (
          <People key={shown.key} campaign={shown.key} listed={route.listed} run={run} />
        )}
        {shown !== null && route.tab === "agreement" && (
          <AgreementPage key={shown.key} campaign={shown.key} listed={route.listed} run={run} />
        )}
        {shown !== null && route.tab === "acts" && shown.rights.includes("act") && (
          <ActsPage key={shown.key} campaign={shown.key} session={session} draft={draft} launched={launched} run={run} />
        )}
        {shown !== null && route.tab === "acts" && !shown.rights.includes("act") && (
          <p className="card">Your role here is {shown.role}. Acting on a campaign takes the role requester.</p>
        )}
        {shown !== null && route.tab === "verdicts" && route.attempt === null && (
          <Verdicts key={JSON.stringify([shown.key, route.filters])} campaign={shown.key} filters={route.filters} run={run} />
        )}
        {shown !== null && route.tab === "verdicts" && route.attempt !== null && (
          <VerdictPage key={route.attempt} campaign={shown} attempt={route.attempt} run={run} />
        )}
      </main>
    </>
  );
}
