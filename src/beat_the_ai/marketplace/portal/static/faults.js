// On every page: says that something has failed, and tells the server's log. Errors of other scripts are not ours.
(() => {
  let told = 0;
  const faults = new URL("../faults", document.currentScript.src);

  function tell(error) {
    if (!(error instanceof Error) || !error.stack?.includes(location.origin)) return;
    const note = document.getElementById("fault");
    note.textContent = note.dataset.words;
    note.hidden = false;
    if (told++ >= 10) return;
    const body = JSON.stringify({ text: `${error.message}\n${error.stack}`.slice(0, 2000) });
    const headers = { "Content-Type": "application/json" };
    fetch(faults, { method: "POST", headers, body, keepalive: true }).catch(() => {});
  }

  addEventListener("error", ({ error }) => tell(error));
  addEventListener("unhandledrejection", ({ reason }) => tell(reason));
})();
