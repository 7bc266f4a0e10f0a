/*
 * How the page speaks to the crowd: the functions that Mephisto's pages ask of a provider.
 *
 * Mephisto's own file for MTurk throws while it is loaded (it uses a name that it never defines), throws again at every
 * error event without an error object, and shows workers dialogs of its own.
 */
"use strict";

function crowdParameter(name) {
  return new URLSearchParams(window.location.search).get(name);
}

function getWorkerName() {
  return crowdParameter("workerId");
}

/** ASSIGNMENT_ID_NOT_AVAILABLE while the worker only looks at the HIT. */
function getAssignmentId() {
  return crowdParameter("assignmentId");
}

function getAgentRegistration() {
  return {
    worker_name: getWorkerName(),
    agent_registration_id: getAssignmentId() + "-" + getWorkerName(),
    assignment_id: getAssignmentId(),
    hit_id: crowdParameter("hitId"),
    turkDeadline: crowdParameter("turkDeadline"),
    turkSignature: crowdParameter("turkSignature"),
    provider_type: "mturk",
  };
}

function isInPortal() {
  return window.name === "beat-the-ai-portal" && window.parent !== window;
}

function portalOrigin() {
  return new URL(crowdParameter("turkSubmitTo")).origin;
}

/** Tells the suite's own portal around the page when the time for the work ends, in milliseconds since 1970. */
function tellEndOfWork(endsAt) {
  if (isInPortal()) {
    window.parent.postMessage({ endsAt }, portalOrigin());
  }
}

/** Title and clock are the portal's. It hears how high the page is, and says which part of it is in sight. */
function fitIntoPortal() {
  const origin = portalOrigin();
  const page = document.documentElement;
  page.dataset.framed = "";
  window.addEventListener("message", (event) => {
    if (event.source === window.parent && event.origin === origin) {
      for (const [name, pixels] of Object.entries(event.data?.inSight ?? {})) {
        page.style.setProperty(`--seen-${name}`, `${Number(pixels)}px`);
      }
    }
  });
  const tell = () => window.parent.postMessage({ pageHeight: page.getBoundingClientRect().height }, origin);
  new ResizeObserver(tell).observe(page);
}

if (isInPortal()) {
  fitIntoPortal();
}

function crowdAddress() {
  return crowdParameter("turkSubmitTo").replace(/\/+$/, "") + "/mturk/externalSubmit";
}

/** What the crowd is sent. Values are texts: anything else goes in as JSON. */
function crowdFields(data) {
  const fields = [...Object.entries(data), ["assignmentId", getAssignmentId()]];
  return fields.map(([name, value]) => [name, typeof value === "string" ? value : JSON.stringify(value)]);
}

/** Sends the crowd the same form, and stays on the page. It arrives even if the page is closed at this moment. */
function submitBehindPage(data) {
  const body = new URLSearchParams(crowdFields(data));
  const keepalive = String(body).length < 60000; // browsers allow no more of it
  return fetch(crowdAddress(), { method: "POST", mode: "no-cors", credentials: "include", keepalive, body });
}

/** Posts the fields to the crowd, which ends the assignment. */
function handleSubmitToProvider(data) {
  const form = document.createElement("form");
  form.method = "POST";
  form.action = crowdAddress();
  for (const [name, value] of crowdFields(data)) {
    const input = document.createElement("input");
    input.type = "hidden";
    input.name = name;
    input.value = value;
    form.appendChild(input);
  }
  document.body.appendChild(form);
  HTMLFormElement.prototype.submit.call(form);
}
