// The state of the desk: sent whole once, then as changes of what the page has.

import { request } from "./request.js";
import { inLanguage } from "./tournament.js";

let asked = 0;
let drawn = 0; // the newest request whose answer is known
let last = { tag: "", state: null };

// A state with its changes: paths with the value there, or without one, that is gone.
function changed(state, changes) {
  const made = JSON.parse(JSON.stringify(state));
  for (const [path, ...values] of changes) {
    const place = path.slice(0, -1).reduce((found, each) => found[each], made);
    const key = path[path.length - 1];
    if (values.length) [place[key]] = values;
    else delete place[key];
  }
  return made;
}

// The answer of the hub, null without one, and the newest state if it is one; `query`: which
// tournaments it has.
export async function fetchState(query = "") {
  asked += 1;
  const [turn, base] = [asked, last];
  const since = base.tag && `&since=${base.tag}`;
  const answer = await request(inLanguage("/desk/state") + query + since).catch(() => null);
  if (!answer || !answer.ok) return { answer };
  const found = answer.json();
  const state = found.changes ? changed(base.state, found.changes) : found;
  // One that was overtaken is older than what is shown.
  if (turn > drawn) {
    drawn = turn;
    last = { tag: (answer.header("ETag") || "").replace(/"/g, ""), state };
  }
  return { answer, state: last.state };
}
