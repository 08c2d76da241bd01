// The scores of tables, as wall and screens draw them.

import { fitAll, makeFitting, replaceChildren } from "./dom.js";
import { createElement } from "./element.js";
import { teamName } from "./words.js";

const WIDE = 20; // em of a table
const HIGH = 10.8; // em of a table with two sides
const SIDE = 2.9; // em of a further one
const EVENT = 1.3; // em of the line with its tournament
const LONG = 34; // letters of a tournament that may have a second line
const SPARE = 1.7; // em of height that a table may take more
const GAP = 12; // pixels between two tables

function drawSide(say, game, side, at) {
  const row = createElement("div", `side side-${at}`, "");
  row.append(makeFitting("span", "name", teamName(say, side.name, at)));
  if (game.best_of > 1) row.append(createElement("span", "games", String(side.games)));
  row.append(createElement("span", "score", String(side.score)));
  return row;
}

// The minutes of the match in play.
function clockOf(say, time) {
  if (!time) return "";
  if (time.left) return say("hub.clock.left", { n: time.left });
  return time.over ? say("hub.clock.late", { n: time.over }) : say("hub.clock.over");
}

// What is to be known of a table besides its score: of a contested match not that it was won.
export function noteOf(say, { silent, alarm, called, game, time }) {
  if (silent) return say("hub.silent");
  if (alarm) return say("hub.alarm");
  if (called.length) return say("hub.state.offered");
  if (!game) return say("hub.free");
  const at = game.sides.findIndex((side) => side.side === game.winner);
  return at < 0 ? clockOf(say, time) : say("hub.wins", { name: teamName(say, game.sides[at].name, at) });
}

// The tables of a report; of several tournaments each with the name of its own.
export function tablesOf(say, { tables, tournaments }) {
  const titles = new Map(tournaments.map((each) => [each.id, eventTitle(say, each)]));
  const of = ({ tournament }) => ({ event: (titles.size > 1 && titles.get(tournament)) || "" });
  return tables.map((table) => Object.assign(of(table), table));
}

// The hub gives the key of a title of its own formats.
const eventTitle = (say, { name, format, category }) =>
  [name || say(format) || format, category].filter(Boolean).join(" · ");

// The score of a table, or the teams that are called to it.
function drawTable(say, table) {
  const classes = ["table", table.silent ? "silent" : "", table.alarm ? "alarm" : ""];
  const made = createElement("section", classes.filter(Boolean).join(" "), "");
  const title = createElement("h2", "", "");
  const number = say("hub.table", { n: table.table });
  title.append(makeFitting("span", "", table.name ? `${number} · ${table.name}` : number));
  const game = table.called.length ? null : table.game;
  if (game) title.append(createElement("span", "target", say("hub.target", { n: game.target })));
  made.append(title);
  if (table.event) made.append(makeFitting("p", "event", table.event));
  for (const name of table.called) made.append(createElement("div", "side", "", makeFitting("span", "name", name)));
  if (game) made.append(...game.sides.map((side, at) => drawSide(say, game, side, at)));
  const note = noteOf(say, table);
  if (note) made.append(makeFitting("p", "note", note));
  return made;
}

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

// Returns a function that shows tables in `view`. Only what has changed is drawn.
export function createTables(say, view) {
  const grid = createElement("div", "tables");
  let shown = new Map(); // table number -> JSON of what is drawn
  let letter = 0;
  return (tables) => {
    const next = new Map(tables.map((table) => [table.table, JSON.stringify(table)]));
    const isThere = grid.parentElement === view;
    const isSame = isThere && [...next.keys()].join() === [...shown.keys()].join();
    const changed = tables.filter(({ table }) => !isSame || next.get(table) !== shown.get(table));
    const drawn = changed.map((table) => drawTable(say, table));
    if (isSame) changed.forEach((table, at) => grid.children[tables.indexOf(table)].replaceWith(drawn[at]));
    else replaceChildren(grid, ...drawn);
    if (!isThere) replaceChildren(view, grid);
    const before = letter;
    letter = arrange(grid);
    if (letter !== before) fitAll();
    else drawn.forEach(fitAll);
    shown = next;
  };
}
