// The tables of the wall, as the hub draws them: walls and screens follow, turn and fit them.

import { fitAll, replaceChildren } from "./dom.js";
import { fragmentOf } from "./fragment.js";
import { createElement } from "./element.js";
import { follow } from "./follow.js";
import { request } from "./request.js";
import { followUpdate } from "./update.js";

const WIDE = 20; // em of a table
const HIGH = 10.8; // em of a table with two sides
const SIDE = 2.9; // em of a further one
const EVENT = 1.3; // em of the line with its tournament
const LONG = 34; // letters of a tournament that may have a second line
const SPARE = 1.7; // em of height that a table may take more
const GAP = 12; // pixels between two tables

// The tables fill the box around them: as many columns as leave the letters largest. Returns the size
// of the letters in pixels.
function arrange(tables) {
  const { clientWidth, clientHeight } = tables.parentElement;
  const count = Math.max(1, tables.children.length);
  const has = (part) => tables.querySelector(part) !== null;
  const events = [...tables.querySelectorAll(".event")].map((each) => each.textContent.length);
  const lines = events.length && (Math.max(...events) > LONG ? 2 : 1);
  const high = HIGH + (has(".side-2") ? SIDE : 0) + EVENT * lines;
  let best = { letter: 0, columns: 1 };
  for (let columns = 1; columns <= count; columns += 1) {
    const rows = Math.ceil(count / columns);
    const width = (clientWidth - GAP * (columns - 1)) / columns;
    const height = (clientHeight - GAP * (rows - 1)) / rows;
    const letter = Math.min(width / WIDE, height / high);
    if (letter > best.letter) best = { letter, columns };
  }
  tables.style.setProperty("--columns", best.columns);
  tables.style.setProperty("--high", `${high + SPARE}em`);
  tables.style.setProperty("--letter", `${best.letter}px`);
  return best.letter;
}

// What a page shows after a report: all of it, or what has changed in `hall`. `keys` has the order.
export function changed(hall, report) {
  if (report.keys) return Object.assign({}, report, { tables: new Map(report.tables.map((each) => [each.key, each])) });
  const tables = new Map(hall.tables);
  (report.tables || []).forEach((each) => tables.set(each.key, each));
  return Object.assign({}, hall, report, { tables });
}

// Follows the wall: onHall(hall), and each second onSilence(seconds).
export function followHall(onHall, onSilence) {
  const query = `?lang=${encodeURIComponent(document.documentElement.lang)}`;
  let hall = null;
  const server = {
    open: () => (window.EventSource ? new EventSource(`/events${query}`) : null),
    events: ["hall"],
    load: () => request(`/drawn/hall${query}`).then((answer) => (answer.ok ? answer.json() : Promise.reject(new Error(answer.status)))),
    isShown: ({ id }) => hall !== null && hall.id === id,
  };
  const accept = (report, late) => {
    // Of what changes, only the stream has the order.
    if (late || (!hall && !report.keys)) return;
    followUpdate(report);
    hall = changed(hall, report);
    onHall(hall);
  };
  follow(server, accept, onSilence);
}

// Returns a function that shows tables {key, rev, html} in `view`, with their clocks by key. Only what
// has changed is replaced.
export function createTables(view) {
  const grid = createElement("div", "tables");
  let shown = [];
  let letter = 0;
  return (tables, clocks) => {
    const isThere = grid.parentElement === view;
    const isSame = isThere && tables.length === shown.length && tables.every(({ key }, at) => key === shown[at].key);
    const isNew = ({ rev }, at) => !isSame || rev !== shown[at].rev;
    const drawn = tables.map((each, at) => (isNew(each, at) ? fragmentOf(each.html) : grid.children[at]));
    const fresh = drawn.filter((each) => each.parentElement !== grid);
    if (isSame) drawn.forEach((each, at) => each === grid.children[at] || grid.children[at].replaceWith(each));
    else replaceChildren(grid, ...drawn);
    if (!isThere) replaceChildren(view, grid);
    const told = drawn.filter((each, at) => setClock(each, clocks[tables[at].key]));
    const before = letter;
    letter = arrange(grid);
    if (letter !== before) fitAll();
    else new Set([...fresh, ...told]).forEach((each) => fitAll(each));
    shown = tables;
  };
}

// Whether the clock of a table says something else now.
function setClock(table, text = "") {
  const place = table.querySelector(".clock > span");
  if (!place || place.textContent === text) return false;
  place.textContent = text;
  return true;
}
