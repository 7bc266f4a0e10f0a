/** The crowd of a previewed page: nobody, and a worker who brings the page into the state that is shown. */

const STATE = __STATE__;
const PATIENCE_MS = 15_000;
const LOOK_MS = 30;

// Every load begins anew: no draft of another state, and the tour only where it is shown.
const chosen = localStorage.getItem("language");
localStorage.clear();
sessionStorage.clear();
if (chosen !== null && chosen !== STATE.language && STATE.languages.includes(chosen)) {
  location.replace(`../../${chosen}/${STATE.id}/`);
}
localStorage.setItem(`beat-the-ai:tour:${STATE.page}`, "taken");
if (STATE.takes_tour) {
  localStorage.removeItem(`beat-the-ai:tour:${STATE.page}`);
}

const ASSIGNMENT = `preview-${Math.random().toString(36).slice(2)}`;

function getWorkerName() {
  return STATE.visitor ? null : "preview";
}

function getAssignmentId() {
  return STATE.is_offered ? "ASSIGNMENT_ID_NOT_AVAILABLE" : STATE.visitor ? null : ASSIGNMENT;
}

function getAgentRegistration() {
  return {
    worker_name: getWorkerName(),
    agent_registration_id: `${ASSIGNMENT}-preview`,
    assignment_id: getAssignmentId(),
    provider_type: STATE.visitor ? "mock" : "mturk",
  };
}

function handleSubmitToProvider() {
  return true;
}

async function found({ selector, place }) {
  const end = performance.now() + PATIENCE_MS;
  for (;;) {
    const element = document.querySelectorAll(selector)[place];
    if (element !== undefined) {
      return element;
    }
    if (performance.now() > end) {
      throw new Error(`The preview found no ${selector}.`);
    }
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
  }
}

/** As a person types: React hears of a value only by the setter of the field's own class. */
function fill(element, text) {
  element.focus();
  Object.getOwnPropertyDescriptor(Object.getPrototypeOf(element), "value").set.call(element, text);
  element.dispatchEvent(new Event("input", { bubbles: true }));
}

function press(element, key) {
  for (const type of ["keydown", "keyup"]) {
    element.dispatchEvent(new KeyboardEvent(type, { key, bubbles: true, cancelable: true }));
  }
}

async function play(acts) {
  for (const act of acts) {
    const element = await found(act);
    if (act.act === "click") {
      element.click();
    } else if (act.act === "fill") {
      fill(element, act.text);
    } else if (act.act === "press") {
      press(element, act.text);
    }
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
  }
}

play(STATE.acts).then(
  () => document.documentElement.setAttribute("data-preview", "shown"),
  (error) => console.error(error),
);
