// The page to work on: counts the time down, and moves on when our own answer in the frame says so.
const work = document.getElementById("work");
const frame = document.querySelector("iframe");
const left = document.getElementById("time-left");
const ends = performance.now() + Number(left.dataset.seconds) * 1000;

// In the sandbox of an HTMLQuestion our answer has no origin, which is written "null".
const origins = [location.origin, "null"];

addEventListener("message", (event) => {
  if (frame && event.source === frame.contentWindow && origins.includes(event.origin) && event.data === "submitted") {
    location.assign(work.dataset.sent);
  }
});

function show() {
  const seconds = Math.max(0, Math.round((ends - performance.now()) / 1000));
  const pad = (number) => String(number).padStart(2, "0");
  const hours = Math.floor(seconds / 3600);
  const rest = `${pad(Math.floor(seconds / 60) % 60)}:${pad(seconds % 60)}`;
  if (seconds < 86400) left.textContent = hours ? `${hours}:${rest}` : rest;
  left.classList.toggle("soon", seconds <= 300);
  for (const [limit, words] of [[0, "The time for this HIT is over."], [60, "One minute left."], [300, "Five minutes left."]]) {
    if (seconds === limit) document.getElementById("time-warning").textContent = words;
  }
  if (seconds === 0) clearInterval(clock);
}

const clock = setInterval(show, 1000);
show();
