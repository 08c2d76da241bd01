// Standings and brackets at the desk, as televisions and teams have them.

import { byId } from "./controls.js";
import { createElement } from "./element.js";
import { desk } from "./organise_actions.js";
import { isOpen } from "./organise_sections.js";
import { request } from "./request.js";
import { drawnOf, inLanguage, standingsTable } from "./tournament.js";

const PACE = 10000; // milliseconds between two looks at what is being played

let shown = { newest: "", at: 0, text: "" };

// What is wider than a phone moves within itself, also by keyboard.
function region(title, className, ...inside) {
  const made = createElement("div", className, "", ...inside);
  made.tabIndex = 0;
  made.setAttribute("role", "group");
  made.setAttribute("aria-label", title);
  return made;
}

const standingsOf = (phase) =>
  phase.standings.flatMap((each) => {
    const title = each.zone ? `${phase.title} · ${each.title}` : each.title;
    const table = region(title, "wide", standingsTable(each));
    return [createElement("h3", "", title), table, createElement("p", "legend", each.legend)];
  });

function bracketOf({ title, bracket }) {
  const column = (round) =>
    createElement("div", "round", "", createElement("h4", "", round.title), ...round.matches.map(drawnOf));
  return [createElement("h3", "", title), region(title, "bracket", ...bracket.map(column))];
}

function draw({ phases }) {
  byId("standings").replaceChildren(...phases.flatMap(standingsOf));
  byId("bracket").replaceChildren(...phases.filter((each) => each.bracket.length).flatMap(bracketOf));
}

// Asked for while one of both is open: after each decision, and now and then.
export async function drawStandings(tournament) {
  const begun = tournament.phases.filter((each) => each.is_begun);
  const isBracket = (each) => each.kind === "bracket" || each.kind === "double";
  byId("standings").parentElement.hidden = begun.every(isBracket);
  byId("bracket").parentElement.hidden = !begun.some(isBracket);
  const newest = `${tournament.id} ${tournament.seq}`;
  if (!["standings-title", "bracket-title"].some(isOpen)) return;
  if (shown.newest === newest && Date.now() - shown.at < PACE) return;
  shown = { ...shown, newest, at: Date.now() };
  const answer = await request(inLanguage(`/drawn/tournaments/${tournament.id}`)).catch(() => null);
  const text = answer?.ok ? answer.text : shown.text;
  if (text === shown.text) return;
  shown.text = text;
  draw(JSON.parse(text));
}

export function setUpStandings() {
  document.addEventListener("toggled", () => desk.state.tournament && drawStandings(desk.state.tournament));
}
