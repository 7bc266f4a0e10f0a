/*
 * How the page speaks to Mephisto's `mock` provider, which is no crowd: the address names worker and assignment, and the
 * page itself sees to both where it does not (webapp/src/crowd/visitor.ts).
 *
 * Mephisto's own file shows what was submitted in an alert, and throws at every error event without an error object.
 */
"use strict";

function getWorkerName() {
  return new URLSearchParams(window.location.search).get("worker_id");
}

function getAssignmentId() {
  return new URLSearchParams(window.location.search).get("assignment_id");
}

function getAgentRegistration() {
  return {
    worker_name: getWorkerName(),
    agent_registration_id: getAssignmentId() + "-" + getWorkerName(),
    assignment_id: getAssignmentId(),
    provider_type: "mock",
  };
}

/** Nobody waits for it: the server has the HIT. */
function handleSubmitToProvider() {
  return true;
}
