// The scores of tables, as wall and screens draw them.

import { element, teamName } from "./words.js";

const CARD = 1.7; // width of a table by its height

function drawSide(say, game, side, at) {
  const row = element("div", `side side-${at}`, "");
  row.append(element("span", "name", teamName(say, side.name, at)));
  if (game.best_of > 1) row.append(element("span", "games", String(side.games)));
  row.append(element("span", "score", String(side.score)));
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
  const made = element("section", classes.filter(Boolean).join(" "), "");
  const title = element("h2", "", "");
  const number = say("hub.table", { n: table.table });
  title.append(element("span", "", table.name ? `${number} · ${table.name}` : number));
  const game = table.called.length ? null : table.game;
  if (game) title.append(element("span", "target", say("hub.target", { n: game.target })));
  made.append(title);
  for (const name of table.called) made.append(element("div", "side", "", element("span", "name", name)));
  if (game) made.append(...game.sides.map((side, at) => drawSide(say, game, side, at)));
  const note = noteOf(say, table);
  if (note) made.append(element("p", "note", note));
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

