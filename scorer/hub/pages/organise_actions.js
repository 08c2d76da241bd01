// What the parts of the tournament page share: the newest state and actions.

import { post, show } from "./controls.js";
import { forget } from "./entries.js";
import { answerOf, clearRefusal, refusalText, refuse, usedPlace } from "./refusal.js";
import { inLanguage } from "./tournament.js";
import { fetchWords } from "./words.js";

const READS = new Set(["names.find", "t.check", "t.consequences", "t.leaving", "t.questions", "t.why"]);

export const say = await fetchWords("/desk/words");
// `drawn`: what parts of the page beside the lists were drawn from.
export const desk = { state: null, drawn: new Map(), look: async () => {} };

// Draws everything anew, or of the entries that of `key` alone: the other forms keep what was typed.
export function forgetDrawn(key) {
  desk.drawn.clear();
  forget(document.querySelectorAll(key === undefined ? "[data-key]" : entryOf(key)));
}

const entryOf = (key) => `[data-key="${CSS.escape(key)}"]`;

// What the role may do: actions, and events of the tournament. In a closed one nothing is decided.
const ALWAYS = new Set(["t.begin", "t.reopen", "t.screen", "t.why"]);
const IN_ARCHIVE = new Set(["BlankName", "AnswerNames"]); // they concern what is published
const isClosed = () => desk.state.tournament && !desk.state.tournament.is_open;
export const may = (action) => desk.state.may.includes(action) && (!isClosed() || ALWAYS.has(action));
export const mayDecide = (event) =>
  desk.state.may_decide.includes(event) && (!isClosed() || IN_ARCHIVE.has(event));

// The tournament of the page; null: the first open one.
export let chosen = new URLSearchParams(location.search).get("t");

// The address of a page or a file of a tournament, in the language of the page.
export const ofTournament = (path, id) => `${inLanguage(path)}${id ? `&t=${id}` : ""}`;

// Shows another tournament on this page.
export function choose(id) {
  chosen = String(id);
  history.replaceState(null, "", ofTournament("/desk/tournament", id));
}

const { lang: language } = document.documentElement;
export const request = (what, fields) =>
  post("/desk/act", JSON.stringify({ do: what, seen: desk.state?.seq, tournament: desk.state?.tournament?.id, language, ...fields }));

// The answer of an action, or null; the reason of a refusal is shown at `place`.
export async function act(what, fields = {}, place = usedPlace()) {
  clearRefusal(place);
  return settle(await answerOf(request(what, fields)), place, !READS.has(what));
}

// Draws the page after an answer. After a refusal, what was typed is kept.
export async function settle(answer, place, isChange) {
  const { ok, found } = answer;
  if (ok) show("");
  if (ok && isChange) forgetDrawn(place.key);
  // Its form was answered: that it goes with its entry is no surprise.
  if (ok && isChange && place.key) closeForms(place.key);
  await desk.look();
  if (!ok) refuse(place, refusalText(say, answer, desk.state), found.field);
  return ok ? found : null;
}

function closeForms(key) {
  const forms = document.querySelectorAll(`${entryOf(key)} details[open]:not(.why)`);
  for (const form of forms) form.open = false;
}

export const decide = (event, place = usedPlace()) => act("t.event", { event }, place);
