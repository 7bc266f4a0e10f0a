// The page to work on: counts the time down, until the requester's page in the frame says that work ends or to the deadline,
// and moves on when our own answer in the frame says so.
const work = document.getElementById("work");
const frame = document.querySelector("iframe");
const left = document.getElementById("time-left");
const warning = document.getElementById("time-warning");
const deadline = Date.now() + Number(left.dataset.seconds) * 1000;
let ends = deadline;

// In the sandbox of an HTMLQuestion our answer has no origin, which is written "null".
const origins = [location.origin, "null"];

addEventListener("message", (event) => {
  if (!frame || event.source !== frame.contentWindow) return;
  if (origins.includes(event.origin) && event.data === "submitted") location.assign(work.dataset.sent);
  const { endsAt } = event.data ?? {};
  if (event.origin !== new URL(frame.src).origin || !Number.isFinite(endsAt)) return;
  ends = Math.min(deadline, endsAt);
  show();
});

function show() {
  const seconds = Math.max(0, Math.round((ends - Date.now()) / 1000));
  const pad = (number) => String(number).padStart(2, "0");
  const hours = Math.floor(seconds / 3600);
  const rest = `${pad(Math.floor(seconds / 60) % 60)}:${pad(seconds % 60)}`;
  if (seconds < 86400) left.textContent = hours ? `${hours}:${rest}` : rest;
  left.classList.toggle("soon", seconds <= 300);
  const { ended, over, oneMinute, fiveMinutes } = warning.dataset;
  const warnings = [[0, ends < deadline ? ended : over], [60, oneMinute], [300, fiveMinutes]];
  const [, words] = warnings.find(([limit]) => seconds <= limit) ?? [0, ""];
  if (warning.textContent !== words) warning.textContent = words;
}

setInterval(show, 1000);
show();
