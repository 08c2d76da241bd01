// What the parts of the tournament page share: the newest state, actions and controls.

import { refusalText } from "./refusal.js";
import { element, fetchWords, readDocument } from "./words.js";

const READS = new Set(["t.check", "t.consequences", "t.why"]);

export const say = await fetchWords("/desk/words");
export const byId = (id) => document.getElementById(id);
export const small = (...texts) => element("small", "", texts.filter(Boolean).join(" · "));
// `drawn`: what lists were drawn from, by entry; empty to draw all of them again.
export const desk = { state: null, drawn: new Map(), look: async () => {} };

// What the role may do: actions, and events of the tournament.
export const may = (action) => desk.state.may.includes(action);
export const mayDecide = (event) => desk.state.may_decide.includes(event);

export function show(problem) {
  byId("problem").textContent = problem;
  byId("problem").hidden = !problem;
}

export const request = (what, fields) =>
  fetch("/desk/act", {
    method: "POST",
    headers: { "Content-Type": "application/json", "X-Truco": "1" },
    body: JSON.stringify({ do: what, seen: desk.state?.tournament?.seq, ...fields }),
  });

// The answer of an action, or null; the reason of a refusal is shown.
export async function act(what, fields = {}) {
  const answer = await request(what, fields);
  const found = readDocument(say, await answer.text());
  const key = answer.status === 403 ? "role" : found.key;
  show(answer.ok ? "" : refusalText(say, { ...found, key }, desk.state));
  // After a refusal, what was typed is kept.
  if (answer.ok && !READS.has(what)) desk.drawn = new Map();
  await desk.look();
  return answer.ok ? found : null;
}

export const decide = (event) => act("t.event", { event });

export function button(name, text, onClick, className = "") {
  const made = element("button", className, text);
  made.type = "button";
  made.dataset.name = name;
  made.addEventListener("click", onClick);
  return made;
}

export function field(type, name, label, value = "") {
  const made = element("input", "", "");
  made.type = type;
  made.value = value;
  made.dataset.name = name;
  if (type === "number") [made.min, made.max] = ["0", "999"];
  else made.maxLength = 200;
  return [made, element("label", "", "", element("span", "", label), made)];
}

// A select with its label; `values`: pairs of a value and its text.
export function choice(name, label, values) {
  const made = element("select", "", "", ...values.map(([value, text]) => new Option(text, value)));
  made.dataset.name = name;
  return [made, element("label", "", "", element("span", "", label), made)];
}
