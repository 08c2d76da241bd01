// Connection to the table in the worker, in place of a demo behind a server.

const NO_POWER = 1000; // milliseconds that a power cut lasts

// Set before `wire` is called. `variant`: "" for the truco of the language.
export const options = { language: "", variant: "", panels: 2, lights_buttons: false };
// Told what the page has to know besides the state: {unstored(), failed(why), guided(guide),
// finished(game)}, the number of a game that is over, or 0.
export const notify = { unstored: () => {}, failed: () => {}, guided: () => {}, finished: () => {} };

const LIT = "truco lit buttons"; // in localStorage

let on = null; // {hello(message), look(state), lost(isLost)}
let worker = null;
let shown = null; // the newest state
let edges = [];
let asked = 0;
const down = new Set();
const unplugged = new Set();
const answers = new Map(); // id -> function

// As the connection of the demo's page. Returns {finger(line, isDown), plug(what), light(isOn)}.
export function wire(handlers) {
  on = handlers;
  options.lights_buttons = wasLit();
  powerOn();
  return { finger, plug, light, isLit: options.lights_buttons };
}

// Lights the buttons that may be pressed now, or none, here and after the next visit.
function light(isOn) {
  options.lights_buttons = isOn;
  if (worker) send("light", isOn);
  try {
    localStorage.setItem(LIT, isOn ? "yes" : "no");
  } catch {
    // A browser that keeps nothing begins without lit buttons.
  }
}

function wasLit() {
  try {
    return localStorage.getItem(LIT) === "yes";
  } catch {
    return false;
  }
}

function powerOn() {
  worker = new Worker(new URL("./worker.js", import.meta.url), { type: "module" });
  worker.onmessage = ({ data }) => receive(data);
  worker.onerror = (event) => notify.failed(event.message);
  worker.postMessage({ start: { ...options, held: [...down], unplugged: [...unplugged] } });
}

function receive(data) {
  if (data.hello) on.hello(data.hello);
  if (data.look) {
    shown = data.look;
    on.look(shown);
    notify.guided(shown.guide);
    notify.finished(shown.finished);
  }
  if (data.unstored) notify.unstored(data.unstored);
  if (data.failed) {
    on.lost(true);
    notify.failed(data.failed);
  }
  if (data.id) {
    answers.get(data.id)(data.answer);
    answers.delete(data.id);
  }
}

function send(ask, value, id) {
  worker.postMessage({ ask, value, id });
}

function request(ask, value) {
  asked += 1;
  const id = asked;
  return new Promise((resolve) => {
    answers.set(id, resolve);
    send(ask, value, id);
  });
}

async function finger(line, isDown) {
  if (isDown) down.add(line);
  else down.delete(line);
  edges.push([performance.now(), line, isDown]);
  // Simultaneous presses are sent together: both TANTOS differ from one after the other.
  await null;
  if (edges.length && worker) send("edges", edges);
  edges = [];
}

function plug(what) {
  if (shown && shown.guide) return;
  if (what.wall) cutPower();
  else {
    if (!unplugged.delete(what.panel)) unplugged.add(what.panel);
    if (worker) send("plug", what.panel);
  }
}

// A worker that is terminated stores nothing more, as a table without power.
function cutPower() {
  if (!worker || !shown) return;
  worker.terminate();
  worker = null;
  on.look(dark(shown));
  setTimeout(powerOn, NO_POWER);
}

function dark(state) {
  const black = (panel) => ({ ...panel, bits: btoa("\0".repeat((panel.size[0] / 8) * panel.size[1])), said: [] });
  const panels = Object.entries(state.panels).map(([name, panel]) => [name, black(panel)]);
  const lamps = Object.keys(state.lamps).map((name) => [name, false]);
  return { ...state, dark: true, panels: Object.fromEntries(panels), lamps: Object.fromEntries(lamps), lit: {}, said: [], verdict: "" };
}

// Plays the guided hand at a table of its own, which keeps nothing, or goes back to the kept one.
// Returns whether there is a guide for its buttons.
export function guide(begins) {
  // The buttons of the other table stay as they are.
  for (const line of down) edges.push([performance.now(), line, false]);
  down.clear();
  if (edges.length) send("edges", edges);
  edges = [];
  return request("guide", begins && { has_keys: window.matchMedia("(hover: hover)").matches });
}

// The games of the evening as a score sheet.
export const scoreSheet = () => request("sheet");

// Adds the games of a score sheet and resumes the last one. Returns why it cannot be read, or "".
export async function openScoreSheet(text) {
  const problem = await request("open", text);
  if (!problem) {
    await request("close");
    worker.terminate();
    powerOn();
  }
  return problem;
}
