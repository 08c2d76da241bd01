// What the board asks the table in another tab of this browser, in place of a server.

import { createElement } from "./element.js";

export const GAME_PAGE = "game.html"; // the page of a game
const ALIVE = 5000; // milliseconds between two signs of life
const PATIENCE = 5000; // milliseconds for an answer
const SVG = "http://www.w3.org/2000/svg";
const TABLE = `truco ${new URL("..", import.meta.url).pathname}`; // its lock, and its channel
const channel = new BroadcastChannel(TABLE);
let asked = 0;
let reader = null; // a worker of this page, where no table is open

// The language is in the address, or that of the page.
document.documentElement.lang = new URLSearchParams(location.search).get("lang") || document.documentElement.lang;

// As an EventSource that is never refused: a table that is closed is silent.
class TableEvents extends EventTarget {
  constructor(query) {
    super();
    this.CLOSED = 2;
    this.readyState = 1;
    this.listen = ({ data }) => {
      if (data.query === query) this.dispatchEvent(new MessageEvent(data.event, { data: data.data }));
    };
    this.ask = () => channel.postMessage({ watch: query });
    channel.addEventListener("message", this.listen);
    this.timer = setInterval(this.ask, ALIVE);
    this.ask();
  }

  close() {
    clearInterval(this.timer);
    channel.removeEventListener("message", this.listen);
  }
}

export const openEvents = (query) => new TableEvents(query);

export const load = (path) => askTable({ load: path });

// A message to the table, with one answer.
function askTable(message) {
  asked += 1;
  const id = `${performance.timeOrigin} ${asked}`;
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => done(reject, new Error("the table does not answer")), PATIENCE);
    const listen = ({ data }) => data.id === id && done(resolve, JSON.parse(data.data));
    function done(settle, value) {
      clearTimeout(timer);
      channel.removeEventListener("message", listen);
      settle(value);
    }
    channel.addEventListener("message", listen);
    channel.postMessage({ ...message, id });
  });
}

// Starts a table to read games, in memory, where no other tab has one. Nothing is downloaded unasked.
export async function prepare() {
  const { held } = await navigator.locks.query();
  if (held.some((lock) => lock.name === TABLE)) return;
  const { language, size, text } = await offer();
  if (!(await caches.match(new URL("../table.pack", import.meta.url)))) await pressed(text.replace("{size}", (size / 1e6).toLocaleString(language, { maximumFractionDigits: 1 })));
  reader = new Worker(new URL("../worker.js", import.meta.url), { type: "module" });
  reader.postMessage({ start: { language, panels: 1, is_reader: true } });
}

async function offer() {
  const { size, words } = await (await fetch("start.json")).json();
  const wanted = document.documentElement.lang;
  const language = words[wanted] ? wanted : Object.keys(words)[0];
  return { language, size, text: words[language]["browser.start"] };
}

// Waits for a press of a button with this text.
function pressed(text) {
  const button = createElement("button", "", text);
  button.id = "go";
  document.querySelector("main h1").after(button);
  return new Promise((resolve) => {
    button.onclick = () => {
      button.remove();
      resolve();
    };
  });
}

// A game to share, of a query, or of a score sheet: {status, document}.
export function loadGame(query, sheet) {
  const page = encodeURIComponent(new URL("../game.html", import.meta.url));
  const message = { share: `${query}&page=${page}`, sheet };
  return reader ? askReader(message) : askTable(message);
}

function askReader(value) {
  asked += 1;
  const id = asked;
  return new Promise((resolve, reject) => {
    reader.addEventListener("message", ({ data }) => {
      if (data.failed) reject(new Error(data.failed));
      if (data.id === id) resolve(JSON.parse(data.answer));
    });
    reader.postMessage({ ask: "share", value, id });
  });
}

// The code of a game for phones, as an element; `label` is read aloud, `none` called where there is none.
export function gameCode(query, label, none) {
  const code = document.createElementNS(SVG, "svg");
  code.setAttribute("class", "qr");
  if (label) {
    code.setAttribute("role", "img");
    code.setAttribute("aria-label", label);
  } else code.setAttribute("aria-hidden", "true");
  loadGame(query).then(({ document: game }) => (game && game.code.length ? drawCode(code, game.code) : none()), none);
  return code;
}

// Dark on light, with its quiet zone of four modules.
function drawCode(code, rows) {
  const side = rows.length + 8;
  code.setAttribute("viewBox", `0 0 ${side} ${side}`);
  const ground = document.createElementNS(SVG, "path");
  ground.setAttribute("d", `M0 0h${side}v${side}H0z`);
  ground.setAttribute("fill", "#fff");
  const dark = document.createElementNS(SVG, "path");
  dark.setAttribute("shape-rendering", "crispEdges");
  dark.setAttribute("d", rows.map((row, y) => [...row].map((bit, x) => (bit === "1" ? `M${x + 4} ${y + 4}h1v1h-1z` : "")).join("")).join(""));
  code.append(ground, dark);
}
