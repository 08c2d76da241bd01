// The search of teams while one types. Without scripts the form asks the hub.

import { isFound, wordsOf } from "./search.js";

const input = document.getElementById("q");

function fit() {
  const wanted = wordsOf(input.value);
  let none = true;
  for (const row of document.querySelectorAll("#found li")) {
    row.hidden = !isFound(wanted, row.dataset.words.split(" "), row.dataset.number);
    if (!row.hidden) none = false;
  }
  document.getElementById("none").hidden = !none;
}

// The address has what is typed, so that a reader who comes back finds the same.
function keep() {
  const query = new URLSearchParams(location.search);
  query.set("q", input.value);
  history.replaceState(null, "", `?${query}`);
}

if (input)
  input.addEventListener("input", () => {
    fit();
    keep();
  });
document.documentElement.dataset.ready = "yes";
