import { expect, test, vi } from "vitest";

import { Declined, requestAgent, submitTask, taskConfig } from "./agent";
import { Backoff } from "./backoff";

const AGENT = { agent_id: "7", agent_secret: "s3cret", init_task_data: {} };
const KEY = "k3y";
const REGISTRATION = { worker_name: "w", agent_registration_id: "a-w", assignment_id: "a", provider_type: "mock" };

function patience(...answers: (Response | Error)[]) {
  const fetch = vi.fn(async (_path: RequestInfo | URL, _init?: RequestInit) => {
    const answer = answers.shift();
    if (!(answer instanceof Response)) {
      throw answer;
    }
    return answer;
  });
  return { fetch, onWait: vi.fn(), backoff: new Backoff(1, 1) };
}

const json = (body: object, status = 200) => new Response(JSON.stringify(body), { status });

test("a submission is tried again until the server has it", async () => {
  const wait = patience(json({ error: {} }, 503), new TypeError("offline"), json({ status: "Submitted!" }));
  await submitTask(AGENT, { hit: "h" }, wait);
  expect(wait.onWait).toHaveBeenCalledTimes(2);
  const bodies = wait.fetch.mock.calls.map(([, init]) => JSON.parse(String(init?.body)) as object);
  expect(bodies[2]).toMatchObject({ USED_AGENT_ID: "7", agent_secret: "s3cret", final_data: { hit: "h" } });
  expect(bodies[2]).toEqual(bodies[0]);
});

test("a refusal is told in the server's words", async () => {
  const wait = patience(json({ error: { code: "invalid", message: "This agent id is not this page's." } }, 403));
  await expect(submitTask(AGENT, {}, wait)).rejects.toThrow(new Declined("This agent id is not this page's."));
});

test("an agent comes with its secret and its data", async () => {
  const data = {
    worker_id: "1",
    agent_id: "7",
    agent_secret: "s3cret",
    init_task_data: { hit: "h" },
    failure_reason: null,
  };
  const wait = patience(json({ packet_type: "agent_details", data }));
  expect(await requestAgent(REGISTRATION, KEY, wait)).toEqual({ ...AGENT, init_task_data: { hit: "h" } });
  expect(wait.fetch.mock.calls[0]?.[0]).toBe("request_agent");
});

test("no agent: the reason is told", async () => {
  const data = { agent_id: null, failure_reason: "You have done all tasks." };
  await expect(requestAgent(REGISTRATION, KEY, patience(json({ data })))).rejects.toThrow("You have done all tasks.");
});

test("what has failed for a moment is asked for again", async () => {
  const failed = { agent_id: null, failure_reason: "Something went wrong on our side.", failure_code: "internal" };
  const wait = patience(json({ data: failed }), json({ data: { agent_id: "7", agent_secret: "s3cret", init_task_data: {} } }));
  expect(await requestAgent(REGISTRATION, KEY, wait)).toEqual(AGENT);
  expect(wait.onWait.mock.calls).toEqual([["Something went wrong on our side."]]);
});

test("the configuration is asked for by a relative address", async () => {
  const wait = patience(json({ page: "reading_comprehension" }));
  expect(await taskConfig(wait)).toEqual({ page: "reading_comprehension" });
  expect(wait.fetch.mock.calls[0]?.[0]).toBe("task_config.json");
});
