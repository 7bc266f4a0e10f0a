/** From an open page to a submitted HIT: configuration, preview or agent, connection, the page itself, the end. */

import { type ReactNode, useEffect, useMemo, useRef, useState, useSyncExternalStore } from "react";

import { type Agent, Declined, requestAgent, submitTask, taskConfig } from "../crowd/agent";
import { Channel, socketUrl } from "../crowd/channel";
import { handBack, isPreview, registration } from "../crowd/provider";
import type { Config, Page } from "../pages/page";
import { UnknownPage, findPage } from "../pages/registry";
import { pageKey } from "../storage/pageKey";
import { Notice } from "./Notice";
import { ending } from "./endings";

type FinalData = Readonly<Record<string, unknown>>;
type Stage =
  | { name: "starting"; waiting: boolean }
  | { name: "preview"; page: Page; config: Config }
  | { name: "working"; page: Page; config: Config; agent: Agent }
  | { name: "declined"; message: string };

export function Session() {
  const [stage, setStage] = useState<Stage>({ name: "starting", waiting: false });
  useEffect(() => {
    let current = true;
    const enter = (next: Stage) => current && setStage(next);
    void start(() => enter({ name: "starting", waiting: true })).then(enter);
    return () => {
      current = false;
    };
  }, []);

  switch (stage.name) {
    case "starting":
      return (
        <Notice title="Opening your HIT …" busy>
          {stage.waiting && "The service is restarting. This page goes on trying; you can leave it open."}
        </Notice>
      );
    case "declined":
      return (
        <Notice
          title="There is no work here for you at the moment"
          action={{ name: "Try again", run: () => location.reload() }}
        >
          {stage.message}
        </Notice>
      );
    case "preview":
      return <stage.page.Preview config={stage.config} />;
    case "working":
      return <Working {...stage} />;
  }
}

async function start(onWait: () => void): Promise<Stage> {
  try {
    const config = await taskConfig({ onWait });
    const coming = findPage(config["page"]);
    document.title = typeof config["task_title"] === "string" ? config["task_title"] : document.title;
    if (isPreview()) {
      return { name: "preview", page: await coming, config };
    }
    const key = pageKey(registration().agent_registration_id);
    const [page, agent] = await Promise.all([coming, requestAgent(registration(), key, { onWait })]);
    return { name: "working", page, config, agent };
  } catch (error) {
    const isForWorkers = error instanceof Declined || error instanceof UnknownPage;
    return { name: "declined", message: isForWorkers ? error.message : `The page could not be opened: ${String(error)}` };
  }
}

function Working({ page, config, agent }: { page: Page; config: Config; agent: Agent }) {
  const channel = useMemo(() => new Channel(socketUrl(location.href), agent), [agent]);
  const [finalData, setFinalData] = useState<FinalData | null>(null);
  const submission = useRef<FinalData>({});
  const [next, setNext] = useState("");
  useEffect(() => {
    const wake = () => channel.wake();
    channel.open();
    window.addEventListener("online", wake);
    return () => {
      window.removeEventListener("online", wake);
      channel.close();
    };
  }, [channel]);
  const { status, connection } = useSyncExternalStore(channel.subscribe, channel.state);

  const finish = async (data: FinalData, onWait: () => void, comesNext = "") => {
    submission.current = data;
    setNext(comesNext);
    await submitTask(agent, data, { onWait });
    setFinalData(data);
  };
  if (finalData !== null || status === "completed") {
    // Also when it was submitted before this page was opened: perhaps the crowd never got its own form then.
    return <Submitted finalData={finalData ?? submission.current} next={next} />;
  }
  const reason = ending(status, connection === "refused");
  return (
    <>
      {reason !== null && <Ended>{reason}</Ended>}
      <page.Work
        config={config}
        task={agent.init_task_data}
        assignment={registration().agent_registration_id}
        desk={channel}
        over={reason !== null}
        finish={finish}
      />
    </>
  );
}

function Ended({ children }: { children: ReactNode }) {
  const element = useRef<HTMLDivElement>(null);
  useEffect(() => element.current?.focus(), []);
  return (
    <div ref={element} className="ended" role="alert" tabIndex={-1}>
      <h2>This HIT has ended</h2>
      <p>{children}</p>
      <button type="button" onClick={() => location.reload()}>
        Reload the page
      </button>
    </div>
  );
}

function Submitted({ finalData, next }: { finalData: FinalData; next: string }) {
  const [failure, setFailure] = useState("");
  const handIn = () => {
    try {
      handBack(finalData);
    } catch (error) {
      setFailure(` The crowd's page did not take it (${String(error)}).`);
    }
  };
  const handedIn = useRef(false);
  useEffect(() => {
    if (!handedIn.current) {
      handedIn.current = true;
      setTimeout(handIn, 50); // after this page is painted: a crowd may navigate away or show a box of its own
    }
  });
  return (
    <Notice title="Thank you! Your HIT is submitted." action={{ name: "Hand it in again", run: handIn }}>
      {`${next} Everything is kept on our side, and you can close this page. If the crowd's own page still waits for it, hand it in again.${failure}`}
    </Notice>
  );
}
