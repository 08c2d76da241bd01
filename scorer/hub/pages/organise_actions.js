// What the parts of the tournament page share: the newest state and actions.

import { post, show } from "./controls.js";
import { forget } from "./entries.js";
import { refusalText } from "./refusal.js";
import { fetchWords } from "./words.js";

const READS = new Set(["t.check", "t.consequences", "t.why"]);

export const say = await fetchWords("/desk/words");
// `drawn`: what parts of the page beside the lists were drawn from.
export const desk = { state: null, drawn: new Map(), look: async () => {} };

export function forgetDrawn() {
  desk.drawn.clear();
  forget(document.querySelectorAll("[data-key]"));
}

// What the role may do: actions, and events of the tournament.
export const may = (action) => desk.state.may.includes(action);
export const mayDecide = (event) => desk.state.may_decide.includes(event);

const { lang: language } = document.documentElement;
export const request = (what, fields) =>
  post("/desk/act", JSON.stringify({ do: what, seen: desk.state?.tournament?.seq, language, ...fields }));

// The answer of an action, or null; the reason of a refusal is shown.
export async function act(what, fields = {}) {
  const answer = await request(what, fields);
  const found = await answer.json();
  const key = answer.status === 403 ? "role" : found.key;
  show(answer.ok ? "" : refusalText(say, { ...found, key }, desk.state));
  // After a refusal, what was typed is kept.
  if (answer.ok && !READS.has(what)) forgetDrawn();
  await desk.look();
  return answer.ok ? found : null;
}

export const decide = (event) => act("t.event", { event });
