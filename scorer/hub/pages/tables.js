// The scores of tables, as wall and screens draw them.

import { createElement } from "./element.js";
import { teamName } from "./words.js";

const CARD = 1.7; // width of a table by its height

function drawSide(say, game, side, at) {
  const row = createElement("div", `side side-${at}`, "");
  row.append(createElement("span", "name", teamName(say, side.name, at)));
  if (game.best_of > 1) row.append(createElement("span", "games", String(side.games)));
  row.append(createElement("span", "score", String(side.score)));
  return row;
}

// What is to be known of a table besides its score: of a contested match not that it was won.
function noteOf(say, { silent, alarm, called, game }) {
  if (silent) return say("hub.silent");
  if (alarm) return say("hub.alarm");
  if (called.length) return say("hub.state.offered");
  if (!game) return say("hub.free");
  const at = game.sides.findIndex((side) => side.side === game.winner);
  return at < 0 ? "" : say("hub.wins", { name: teamName(say, game.sides[at].name, at) });
}

// The score of a table, or the teams that are called to it.
export function drawTable(say, table) {
  const classes = ["table", table.silent ? "silent" : "", table.alarm ? "alarm" : ""];
  const made = createElement("section", classes.filter(Boolean).join(" "), "");
  const title = createElement("h2", "", "");
  const number = say("hub.table", { n: table.table });
  title.append(createElement("span", "", table.name ? `${number} · ${table.name}` : number));
  const game = table.called.length ? null : table.game;
  if (game) title.append(createElement("span", "target", say("hub.target", { n: game.target })));
  made.append(title);
  for (const name of table.called) made.append(createElement("div", "side", "", createElement("span", "name", name)));
  if (game) made.append(...game.sides.map((side, at) => drawSide(say, game, side, at)));
  const note = noteOf(say, table);
  if (note) made.append(createElement("p", "note", note));
  return made;
}

// The tables fill the screen: as many columns as leave the letters largest.
export function arrange(tables) {
  const count = Math.max(1, tables.children.length);
  const shape = window.innerWidth / window.innerHeight / CARD;
  const columns = Math.min(count, Math.max(1, Math.round(Math.sqrt(count * shape))));
  tables.style.setProperty("--columns", columns);
  tables.style.setProperty("--rows", Math.ceil(count / columns));
}

