// What the pages of a tournament share. The hub gives the words for rounds, sides and results.

import { fragmentOf } from "./fragment.js";
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

// A table of standings, of its frame and its rows.
export function standingsTable({ frame, rows }) {
  const table = fragmentOf(frame);
  table.querySelector("tbody").append(...rows.map(drawnOf));
  return table;
}

// The elements of a fragment {key, rev, html}.
export const drawnOf = ({ html }) => fragmentOf(html);
