// The table: Python in a worker. Its files are stored before the page shows what they say.

import { loadPyodide } from "./runtime/pyodide.mjs";
import { unpack, writeFiles } from "./unpack.js";

const STORE = "/store"; // also the name of its IndexedDB
const READER = "/reader"; // the store of a table that only reads games
const PROGRAM = "scorer.browser.page_table";
const SILENT = 15000; // milliseconds after which a board that does not ask is gone

let FS = null;
let python = null;
let options = null;
let table = null;
let shown = null; // the newest message about it
let kept = null; // {table, shown} of the kept score, while a guided hand is played
let language = "";
let stored = ""; // the state of the files when they were last stored
let timer = 0;
let turns = Promise.resolve();
const boards = new Map(); // the viewers of a board, as a query -> when it last asked
const channel = new BroadcastChannel(`truco ${new URL(".", location).pathname}`);

async function start(chosen) {
  options = chosen;
  const program = unpack(fetch("table.pack"));
  let populated = null;
  python = await loadPyodide({
    env: { HOME: "/pyodide", TZ: Intl.DateTimeFormat().resolvedOptions().timeZone },
    fsInit: async (files, { sitePackages }) => {
      FS = files;
      FS.mkdirTree(STORE);
      FS.mount(FS.filesystems.IDBFS, {}, STORE);
      populated = sync(true);
      writeFiles(FS, sitePackages, await program);
    },
  });
  await populated;
  if (options.is_reader) FS.mkdirTree(READER);
  table = powerOn({ store: options.is_reader ? READER : STORE });
  await turn();
}

function powerOn(more) {
  const { is_reader, ...known } = { ...options, start_id: crypto.randomUUID(), ...more };
  return python.pyimport(PROGRAM).power_on(JSON.stringify(known));
}

// A guided hand is played at a second table, in memory; the first one waits. `keys`: null to go back.
function guide(keys) {
  if (kept) {
    table.close();
    ({ table, shown } = kept);
    kept = null;
    postMessage(shown);
  }
  if (!keys) return false;
  const folder = `/guided/${crypto.randomUUID()}`;
  FS.mkdirTree(folder);
  const guided = powerOn({ store: folder, language: table.language(), variant: table.variant(), held: [], unplugged: [], is_guided: true, ...keys });
  if (guided.guide() === "null") {
    guided.close();
    return false;
  }
  kept = { table, shown };
  table = guided;
  return true;
}

// What is stored, and what the board shows.
const scored = () => (kept ? kept.table : table);

// Copies the files between memory and IndexedDB; `into`: into memory.
function sync(into) {
  return new Promise((resolve) => {
    FS.syncfs(into, (error) => {
      if (error) postMessage({ unstored: String(error) });
      resolve();
    });
  });
}

// Advances the table, and shows what is stored by then.
async function turn() {
  clearTimeout(timer);
  const delay = table.step();
  await store();
  if (language !== table.language()) {
    language = table.language();
    postMessage({ hello: JSON.parse(table.hello()) });
  }
  const look = table.look();
  if (look) {
    shown = { look: { ...JSON.parse(look), guide: JSON.parse(table.guide()), finished: table.finished_game() } };
    postMessage(shown);
  }
  if (boards.size && scored().update_board()) publish();
  timer = setTimeout(() => run(turn), 1000 * delay);
}

async function store() {
  const files = scored().stored();
  if (files === stored) return;
  await sync(false);
  stored = files;
}

// One job after another: a turn waits while the files are stored.
function run(job) {
  turns = turns.then(job).catch((error) => postMessage({ failed: String(error) }));
}

const REQUESTS = {
  edges: (edges) => table.move(JSON.stringify(edges)),
  plug: (panel) => table.plug(panel),
  light: (isOn) => {
    options.lights_buttons = isOn;
    for (const each of kept ? [table, kept.table] : [table]) each.light_buttons.callKwargs({ is_on: isOn });
  },
  sheet: () => table.score_sheet(),
  share,
  open: (text) => table.open_score_sheet(text),
  close: () => table.close(),
  guide,
};

// {start: options} first, then {ask: name, value, id}; an id gets an answer.
self.onmessage = ({ data }) => {
  if (data.start) run(() => start(data.start));
  else {
    run(async () => {
      const answer = REQUESTS[data.ask](data.value);
      if (data.ask === "close" || data.ask === "open") await store();
      if (data.ask !== "close") await turn();
      if (data.id) postMessage({ id: data.id, answer });
    });
  }
};

// ---- the board in another tab --------------------------------------------------------------------

const report = (query) => scored().board_report(JSON.stringify(Object.fromEntries(new URLSearchParams(query))));

// A game to share, of a query or of a score sheet.
function share({ share: query, sheet }) {
  return scored().shared_game(JSON.stringify(Object.fromEntries(new URLSearchParams(query))), sheet);
}

function publish() {
  for (const [query, heard] of boards) {
    if (Date.now() - heard > SILENT) boards.delete(query);
    else channel.postMessage({ query, event: "state", data: report(query) });
  }
}

// A board asks for reports by {watch: query} and goes on asking, or for a document by {load, id}.
channel.onmessage = ({ data }) => {
  run(async () => {
    if (!table || options.is_reader) return;
    if ("share" in data) {
      channel.postMessage({ id: data.id, data: share(data) });
      return;
    }
    scored().update_board();
    if (data.load) {
      channel.postMessage({ id: data.id, data: documentAt(data.load) });
      return;
    }
    const event = boards.has(data.watch) ? "beat" : "state";
    boards.set(data.watch, Date.now());
    const body = event === "beat" ? scored().board_beat() : report(data.watch);
    channel.postMessage({ query: data.watch, event, data: body });
  });
};

function documentAt(path) {
  const [name, query] = path.split("?");
  if (name.endsWith("/state")) return report(query);
  if (name.endsWith("/games")) return scored().board_games();
  return JSON.stringify({ address: "" }); // the page is in no network
}
