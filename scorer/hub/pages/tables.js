// The scores of tables, as wall and screens draw them.

import { element, teamName } from "./words.js";

const CARD = 1.7; // width of a table by its height

function drawGame(say, game) {
  const rows = game.sides.map((side, at) => {
    const row = element("div", `side side-${at}`, "");
    row.append(element("span", "name", teamName(say, side.name, at)));
    if (game.best_of > 1) row.append(element("span", "games", String(side.games)));
    row.append(element("span", "score", String(side.score)));
    return row;
  });
  const at = game.sides.findIndex((side) => side.side === game.winner);
  const note = at < 0 ? "" : say("hub.wins", { name: teamName(say, game.sides[at].name, at) });
  return [...rows, ...(note ? [element("p", "note", note)] : [])];
}

export function drawTable(say, table) {
  const classes = ["table", table.silent ? "silent" : "", table.alarm ? "alarm" : ""];
  const made = element("section", classes.filter(Boolean).join(" "), "");
  const title = element("h2", "", "");
  const number = say("hub.table", { n: table.table });
  title.append(element("span", "", table.name ? `${number} · ${table.name}` : number));
  if (table.game) title.append(element("span", "target", say("hub.target", { n: table.game.target })));
  made.append(title);
  if (table.game) made.append(...drawGame(say, table.game));
  else made.append(element("p", "note", say("hub.free")));
  if (table.silent) made.append(element("p", "note", say("hub.silent")));
  else if (table.alarm) made.append(element("p", "note", say("hub.alarm")));
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

