// The search of teams while one types. Without scripts the form asks the hub.

import { request } from "./request.js";
import { findAll, wordsOf } from "./search.js";
import { setUpShare } from "./share.js";
import { fetchWords } from "./words.js";

const input = document.getElementById("q");

function fit() {
  const rows = [...document.querySelectorAll("#found li")];
  const texts = rows.map((row) => ({ row, words: row.dataset.words.split(" "), number: row.dataset.number }));
  const found = new Set(findAll(wordsOf(input.value), texts).map(({ row }) => row));
  for (const row of rows) row.hidden = !found.has(row);
  document.getElementById("none").hidden = found.size > 0;
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

// Who plays where, results and standings of all open tournaments, to be read and shared.
const readMessage = (kind) =>
  request(`/messages?lang=${encodeURIComponent(document.documentElement.lang)}`).then((answer) => {
    if (!answer.ok) throw new Error(answer.status);
    return answer.json()[kind];
  });

const share = document.getElementById("share");
if (share)
  fetchWords("/words").then((say) => {
    setUpShare(share, say, readMessage);
    share.parentElement.hidden = false;
  });
document.documentElement.dataset.ready = "yes";
