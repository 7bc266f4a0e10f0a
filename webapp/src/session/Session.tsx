/** From an open page to a submitted HIT: configuration, preview or agent, connection, the page itself, the end. */

import { type ReactNode, Suspense, lazy, useEffect, useMemo, useRef, useState, useSyncExternalStore } from "react";

import { type Agent, Declined, ELSEWHERE, reportFault, requestAgent, submitTask, taskConfig } from "../crowd/agent";
import { Channel, socketUrl } from "../crowd/channel";
import { handBackBehind, isPreview, isWithoutCrowd, registration } from "../crowd/provider";
import { VisitorHits, keepName, nextAddress, visitorName } from "../crowd/visitor";
import { FAULTS } from "../faults/faults";
import type { Config, Page } from "../pages/page";
import { UnknownPage, findPage } from "../pages/registry";
import { pageKey } from "../storage/pageKey";
import { workOn } from "../words/data";
import { say } from "../words/say";
import { Ended } from "./Ended";
import { LettersLink } from "./LettersLink";
import { Naming } from "./Naming";
import { Notice } from "./Notice";
import { Submitted, SubmittedHere } from "./Submitted";
import { watchTabs } from "./tabs";
import { ending } from "./endings";

type FinalData = Readonly<Record<string, unknown>>;
type Stage =
  | { name: "starting"; waiting: string }
  | { name: "naming"; title: string }
  | { name: "preview"; page: Page; config: Config }
  | { name: "working"; page: Page; config: Config; agent: Agent; hits: VisitorHits | null }
  | { name: "declined"; message: string; elsewhere: boolean };

/** Loaded where a campaign has forms. */
const Forms = lazy(async () => ({ default: (await import("../forms/Forms")).Forms }));

/** Loaded with the work: once the HIT is submitted, the service may be gone, and the end of the HIT is shown then. */
const loadAfterwards = async () => {
  const found = await import("../forms/Afterwards").catch(() => null);
  return { default: found?.Afterwards ?? OnlyChildren };
};
const Afterwards = lazy(loadAfterwards);

function OnlyChildren({ children }: { children: ReactNode }) {
  return children;
}

export function Session() {
  const [stage, setStage] = useState<Stage>({ name: "starting", waiting: "" });
  const [name, setName] = useState<string | null>(null);
  useEffect(() => {
    let current = true;
    const enter = (next: Stage) => current && setStage(next);
    void start((reason = say("session.away")) => enter({ name: "starting", waiting: reason })).then(enter);
    return () => {
      current = false;
    };
  }, [name]);

  switch (stage.name) {
    case "starting":
      return (
        <Notice title={say("session.opening")} busy>
          {stage.waiting}
        </Notice>
      );
    case "naming":
      return (
        <Naming
          title={stage.title}
          onName={(chosen) => {
            keepName(chosen);
            setName(chosen);
          }}
        />
      );
    case "declined":
      return (
        <Notice
          title={say("session.no_work.title")}
          action={{ name: say("session.try_again"), run: () => location.reload() }}
        >
          {stage.message} {stage.elsewhere && <a href={nextAddress(null)}>{say("session.open_another")}</a>}
        </Notice>
      );
    case "preview":
      return <stage.page.Preview config={stage.config} />;
    case "working":
      return <Working {...stage} />;
  }
}

async function start(onWait: (reason?: string) => void): Promise<Stage> {
  let hits: VisitorHits | null = null;
  try {
    const config = await taskConfig({ onWait });
    const coming = findPage(config.page);
    document.title = typeof config.task_title === "string" ? config.task_title : document.title;
    if (isPreview()) {
      return { name: "preview", page: await coming, config };
    }
    workOn(config.data);
    const name = visitorName();
    if (isWithoutCrowd()) {
      if (name === null) {
        return { name: "naming", title: document.title };
      }
      hits = new VisitorHits(config.run, name);
      hits.open();
    }
    const key = pageKey(registration().agent_registration_id);
    const [page, agent] = await Promise.all([coming, requestAgent(registration(), key, { onWait })]);
    FAULTS.reportTo((text) => reportFault(agent, text));
    return { name: "working", page, config, agent, hits };
  } catch (error) {
    const elsewhere = error instanceof Declined && error.code === ELSEWHERE;
    if (elsewhere) {
      hits?.leave();
    }
    const isForWorkers = error instanceof Declined || error instanceof UnknownPage;
    const message = isForWorkers ? error.message : say("session.not_opened", { error: String(error) });
    return { name: "declined", message, elsewhere };
  }
}

interface WorkingProps {
  page: Page;
  config: Config;
  agent: Agent;
  /** Where no crowd knows them. */
  hits: VisitorHits | null;
}

function Working({ page, config, agent, hits }: WorkingProps) {
  const channel = useMemo(() => new Channel(socketUrl(location.href), agent), [agent]);
  const [finalData, setFinalData] = useState<FinalData | null>(null);
  const submission = useRef<FinalData>({});
  const [next, setNext] = useState("");
  const [taken, setTaken] = useState(false);
  useEffect(() => {
    const { agent_registration_id } = registration();
    return watchTabs(
      agent_registration_id,
      () => setTaken(true),
      () => location.reload(),
    );
  }, []);
  useEffect(() => {
    if (taken) {
      return;
    }
    const wake = () => channel.wake();
    const check = () => channel.check();
    channel.open();
    window.addEventListener("online", wake);
    window.addEventListener("offline", check);
    return () => {
      window.removeEventListener("online", wake);
      window.removeEventListener("offline", check);
      channel.close();
    };
  }, [channel, taken]);
  const { status, connection } = useSyncExternalStore(channel.subscribe, channel.state);

  const submitted = finalData !== null || status === "completed";
  const asksAfterwards = config.asks_afterwards === true;
  useEffect(() => {
    if (asksAfterwards) {
      void loadAfterwards();
    }
  }, [asksAfterwards]);
  useEffect(() => {
    if (asksAfterwards && submitted && hits === null) {
      void handBackBehind(submission.current); // the crowd does not wait for forms
    }
  }, [asksAfterwards, submitted, hits]);

  const finish = async (data: FinalData, onWait: () => void, comesNext = "") => {
    submission.current = data;
    setNext(comesNext);
    await submitTask(agent, data, { onWait });
    setFinalData(data);
  };
  if (submitted) {
    // Also when it was submitted before this page was opened: perhaps the crowd never got its own form then.
    const end =
      hits === null ? (
        <Submitted finalData={finalData ?? submission.current} next={next} />
      ) : (
        <SubmittedHere next={next} hits={hits} once={page.once ?? false} />
      );
    return asksAfterwards ? (
      <Suspense fallback={<Notice title={say("session.submitted.title")} busy />}>
        <Afterwards desk={channel} assignment={registration().agent_registration_id}>
          {end}
        </Afterwards>
      </Suspense>
    ) : (
      end
    );
  }
  if (taken) {
    return (
      <Notice
        title={say("session.other_tab.title")}
        action={{ name: say("session.other_tab.here"), run: () => location.reload() }}
      >
        {say("session.other_tab")}
      </Notice>
    );
  }
  const reason = ending(status, connection === "refused");
  const work = (
    <page.Work
      config={config}
      task={agent.init_task_data}
      assignment={registration().agent_registration_id}
      desk={channel}
      over={reason !== null}
      finish={finish}
    />
  );
  return (
    <>
      {reason !== null && <Ended hits={hits}>{reason}</Ended>}
      {config.asks_forms === true ? (
        <Suspense fallback={<Notice title={say("session.opening")} busy />}>
          <Forms desk={channel} assignment={registration().agent_registration_id}>
            {work}
          </Forms>
        </Suspense>
      ) : (
        work
      )}
      {config.letters === true && <LettersLink desk={channel} />}
    </>
  );
}
