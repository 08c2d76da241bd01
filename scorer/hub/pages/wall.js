// The scores of all tables, as the hub sends them.

import { element, fetchWords, teamName } from "./words.js";

const SILENT = 25; // seconds without a heartbeat after which the stream is dead
const CARD = 1.7; // width of a table by its height

const tables = document.getElementById("tables");
const stale = document.getElementById("stale");
let heardAt = Date.now();
let shown = new Map(); // table number -> JSON of what is drawn

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

function drawTable(say, table) {
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
function arrange() {
  const count = Math.max(1, tables.children.length);
  const shape = window.innerWidth / window.innerHeight / CARD;
  const columns = Math.min(count, Math.max(1, Math.round(Math.sqrt(count * shape))));
  tables.style.setProperty("--columns", columns);
  tables.style.setProperty("--rows", Math.ceil(count / columns));
}

function draw(say, report) {
  document.getElementById("hall").textContent = report.hall;
  document.title = report.hall;
  if (!report.tables.length) {
    shown = new Map();
    tables.replaceChildren(element("p", "note", say("hub.none")));
    return;
  }
  const next = new Map(report.tables.map((table) => [table.table, JSON.stringify(table)]));
  const sameTables = [...next.keys()].join() === [...shown.keys()].join();
  if (!sameTables) tables.replaceChildren(...report.tables.map((table) => drawTable(say, table)));
  else
    report.tables.forEach((table, at) => {
      if (next.get(table.table) !== shown.get(table.table))
        tables.children[at].replaceWith(drawTable(say, table));
    });
  shown = next;
  arrange();
}

const say = await fetchWords("/words");
stale.textContent = say("hub.offline");
let source = null;

function connect() {
  if (source) source.close();
  source = new EventSource("/events");
  source.addEventListener("hall", (event) => {
    heardAt = Date.now();
    draw(say, JSON.parse(event.data));
  });
  source.addEventListener("beat", () => {
    heardAt = Date.now();
  });
}

connect();
window.addEventListener("resize", arrange);
setInterval(() => {
  const silent = (Date.now() - heardAt) / 1000;
  stale.hidden = silent < SILENT;
  if (silent > SILENT && Math.round(silent) % SILENT === 0) connect();
}, 1000);
