// The scores of all tables, as the hub sends them.

import { createElement } from "./element.js";
import { arrange, drawTable } from "./tables.js";
import { fetchWords, showFinder } from "./words.js";

const SILENT = 25; // seconds without a heartbeat after which the stream is dead

const say = await fetchWords("/words");
const tables = document.getElementById("tables");
const stale = document.getElementById("stale");
let heardAt = Date.now();
let shown = new Map(); // table number -> JSON of what is drawn

function draw(report) {
  document.getElementById("hall").textContent = report.hall;
  document.title = report.hall;
  showFinder(say, report.has_teams);
  if (!report.tables.length) {
    shown = new Map();
    tables.replaceChildren(createElement("p", "note", say("hub.none")));
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
  arrange(tables);
}

stale.textContent = say("hub.offline");
let source = null;

function connect() {
  if (source) source.close();
  source = new EventSource("/events");
  source.addEventListener("hall", (event) => {
    heardAt = Date.now();
    draw(JSON.parse(event.data));
  });
  source.addEventListener("beat", () => {
    heardAt = Date.now();
  });
}

connect();
window.addEventListener("resize", () => arrange(tables));
setInterval(() => {
  const silent = (Date.now() - heardAt) / 1000;
  stale.hidden = silent < SILENT;
  if (silent > SILENT && Math.round(silent) % SILENT === 0) connect();
}, 1000);
