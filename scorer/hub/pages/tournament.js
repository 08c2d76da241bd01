// What the pages of a tournament share. The hub gives the words for rounds, sides and results.

import { createElement } from "./element.js";
import { repeat } from "./repeat.js";
import { request } from "./request.js";
import { followUpdate } from "./update.js";

// The address of a document in the language of the page.
export const inLanguage = (path) => `${path}?lang=${encodeURIComponent(document.documentElement.lang)}`;

// Looks at a document again and again; `draw` gets it, null without one, and whether it is old.
export function follow(path, pace, draw) {
  let last;
  let text = "";
  const read = (answer) => {
    if (!answer.ok && answer.status !== 404) throw new Error(answer.status);
    const found = answer.ok ? answer.text : "";
    if (found !== text || last === undefined) last = found ? JSON.parse(found) : null;
    text = found;
    if (last) followUpdate(last);
  };
  const look = () => request(inLanguage(path)).then(read).then(() => draw(last, false), () => draw(last, true));
  return repeat(look, pace);
}

// Whether the time of a match in play is over.
export const isOverTime = ({ time }) => Boolean(time) && time.left === 0;

// What begins a phase, a round or a play-off.
export const BEGINS = { start: "desk.o.start", pair: "desk.o.pair", playoff: "desk.o.playoff" };

export const sidesText = (match) => match.sides.map(({ text }) => text).join(" – ");

// A table of standings; `own`: the team whose row is marked.
export function standingsTable(say, { columns, rows }, own = 0) {
  const column = (text, long, className) => {
    const made = createElement("th", className, text);
    made.scope = "col";
    if (long) made.title = long;
    return made;
  };
  const heads = [column("#", "", "rank"), column(say("hub.team"), "", "name"), ...columns.map((each) => column(...each))];
  const drawn = rows.map(({ team, rank, name, played, values, is_withdrawn }) => {
    const head = createElement("th", "name", name);
    head.scope = "row";
    const cells = [played, ...values].map((value) => createElement("td", "", String(value) || "–"));
    const className = team === own ? "own" : is_withdrawn ? "gone" : "";
    return createElement("tr", className, "", createElement("td", "rank", String(rank)), head, ...cells);
  });
  const head = createElement("thead", "", "", createElement("tr", "", "", ...heads));
  return createElement("table", "standings", "", head, createElement("tbody", "", "", ...drawn));
}

// The match of a bracket: both teams, the winner marked.
export function bracketMatch({ name, sides, scores, result, state, place }) {
  const won = result ? result.winner : null;
  const rows = sides.map(({ team, text }, at) => {
    const classes = ["team", won === at ? "won" : "", won === 1 - at ? "lost" : ""];
    const side = createElement("span", team ? "name" : "name open", text);
    return createElement("div", classes.filter(Boolean).join(" "), "", side, createElement("b", "", scores[at].join(" | ")));
  });
  // The name of the match stands where another one names it.
  const note = result ? result.text : state === "planned" ? name : `${name} · ${place}`;
  const made = createElement("div", `match ${state}`, "", ...rows);
  if (note) made.append(createElement("small", "", note));
  return made;
}
