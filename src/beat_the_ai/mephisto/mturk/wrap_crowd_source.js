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

/** Posts the fields to the crowd, which ends the assignment. Values are texts: anything else goes in as JSON. */
function handleSubmitToProvider(data) {
  const form = document.createElement("form");
  form.method = "POST";
  form.action = crowdParameter("turkSubmitTo").replace(/\/+$/, "") + "/mturk/externalSubmit";
  for (const [name, value] of [...Object.entries(data), ["assignmentId", getAssignmentId()]]) {
    const input = document.createElement("input");
    input.type = "hidden";
    input.name = name;
    input.value = typeof value === "string" ? value : JSON.stringify(value);
    form.appendChild(input);
  }
  document.body.appendChild(form);
  HTMLFormElement.prototype.submit.call(form);
}
