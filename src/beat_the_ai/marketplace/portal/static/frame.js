// The page in the frame: the frame is as high as the page says, and the page hears which part of it is in sight.
// A page of somebody else's says nothing, and its frame keeps its height.
(() => {
  const frame = document.querySelector("iframe.task");
  const bar = document.querySelector(".work-top");
  const { origin } = new URL(frame.src);
  const [LOWEST, HIGHEST, LEAST_SEEN] = [300, 20000, 300];

  function tell() {
    const above = bar && getComputedStyle(bar).position === "sticky" ? bar.offsetHeight : 0;
    const { top } = frame.getBoundingClientRect();
    const from = Math.min(Math.max(0, above - top), Math.max(0, frame.clientHeight - LEAST_SEEN));
    const seen = Math.max(LEAST_SEEN, Math.min(frame.clientHeight, innerHeight - top) - from);
    frame.contentWindow.postMessage({ inSight: { top: from, height: seen, window: innerHeight - above } }, origin);
  }

  let asked = false;
  function tellSoon() {
    if (asked) return;
    asked = true;
    requestAnimationFrame(() => {
      asked = false;
      tell();
    });
  }

  addEventListener("message", (event) => {
    const height = event.data?.pageHeight;
    if (event.source !== frame.contentWindow || event.origin !== origin || !Number.isFinite(height)) return;
    frame.style.height = `${Math.min(Math.max(Math.ceil(height), LOWEST), HIGHEST) + frame.offsetHeight - frame.clientHeight}px`;
    tell();
    addEventListener("scroll", tellSoon, { passive: true });
    addEventListener("resize", tellSoon);
  });
})();
