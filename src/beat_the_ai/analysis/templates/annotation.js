"use strict";
const settings = JSON.parse(document.getElementById("settings").textContent);
const key = "beat-the-ai-annotations-" + settings.key;
const groups = [...document.querySelectorAll("fieldset")];
const marked = (group) => [...group.querySelectorAll("input:checked")].map((box) => box.value);
const annotations = () =>
  groups.map((group) => ({ id: group.dataset.id, labels: marked(group) })).filter((one) => one.labels.length > 0);

/* A browser may refuse to keep anything for a page that was opened from a file; saving works all the same. */
function stored() {
  try {
    return new Map(JSON.parse(localStorage.getItem(key) || "[]").map((one) => [one.id, one.labels]));
  } catch {
    return new Map();
  }
}

function keep() {
  try {
    localStorage.setItem(key, JSON.stringify(annotations()));
  } catch {
    /* see above */
  }
}

/* A finer label goes with its label, which counts; so many of these are allowed. */
function agree(box) {
  const boxes = [...box.closest("fieldset").querySelectorAll("input")];
  for (const other of boxes) {
    if (box.checked && other.value === box.dataset.of) other.checked = true;
    if (!box.checked && other.dataset.of === box.value) other.checked = false;
  }
}

function show() {
  for (const group of groups) {
    const labels = new Set([...group.querySelectorAll("input:checked")].map((box) => box.dataset.of || box.value));
    for (const box of group.querySelectorAll("input"))
      box.disabled = labels.size >= settings.most && !labels.has(box.dataset.of || box.value);
    for (const more of group.querySelectorAll("details")) more.open ||= more.querySelector("input:checked") !== null;
  }
  document.getElementById("state").textContent = `${annotations().length} of ${groups.length} have a label.`;
}

const before = stored();
for (const group of groups) {
  const labels = before.get(group.dataset.id) || [];
  for (const box of group.querySelectorAll("input")) box.checked = labels.includes(box.value);
}
document.addEventListener("change", (event) => {
  agree(event.target);
  keep();
  show();
});
document.getElementById("save").addEventListener("click", () => {
  const content = JSON.stringify({ annotations: annotations() }, null, 2) + "\n";
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([content], { type: "application/json" }));
  link.download = "annotations.json";
  link.click();
  URL.revokeObjectURL(link.href);
});
show();
