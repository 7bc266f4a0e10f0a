// Added to the page of an HTMLQuestion: its form is posted to this marketplace, with the assignment's id. So do MTurk's
// externalHIT_v1.js and crowd-html-elements.js; pages work without them, wherever they cannot be loaded from.
(() => {
  const given = new URLSearchParams(location.search);
  const assignmentId = given.get("assignmentId");

  function prepare(form) {
    if (!/\/mturk\/externalSubmit$/.test(form.getAttribute("action") ?? "")) return;
    form.action = `${given.get("turkSubmitTo")}/mturk/externalSubmit`;
    form.method = "post";
    let field = form.querySelector("[name=assignmentId]");
    if (!field) {
      field = document.createElement("input");
      field.type = "hidden";
      field.name = "assignmentId";
      form.append(field);
    }
    field.value = assignmentId;
  }

  document.querySelectorAll("form").forEach(prepare);
  addEventListener("submit", (event) => {
    prepare(event.target);
    if (assignmentId === "ASSIGNMENT_ID_NOT_AVAILABLE") event.preventDefault();
  }, true);
})();
