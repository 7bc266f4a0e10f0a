/** The state that is shown stays the same over a reload, and over another language. */

const links = [...document.querySelectorAll("nav a")];
const stateOf = (link) => link.dataset.state;

function mark(link) {
  for (const each of links) {
    each.toggleAttribute("aria-current", each === link);
  }
  history.replaceState(null, "", `#${stateOf(link)}`);
}

for (const link of links) {
  link.addEventListener("click", () => mark(link));
}

const shown = links.find((link) => stateOf(link) === location.hash.slice(1)) ?? links[0];
if (shown !== undefined) {
  shown.click();
}

const form = document.querySelector("form");
form.addEventListener("submit", (event) => {
  event.preventDefault();
  location.assign(`?language=${document.querySelector("select").value}${location.hash}`);
});
