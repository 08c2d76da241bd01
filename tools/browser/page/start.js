// The page around the table: language, download, storage, score sheets; front.js shows the box.

import { notify, openScoreSheet, options, scoreSheet } from "./connection.js";
import { offerGuide } from "./guide.js";
import { keepAwake } from "./wake_lock.js";

const NARROW = "(max-width: 760px)"; // as in front.css: one neutral panel instead of two
const CONTROLLED = 3000; // milliseconds to wait for the service worker, which keeps the files
const byId = (id) => document.getElementById(id);
const params = new URLSearchParams(location.search);

const known = await (await fetch("start.json")).json(); // {size, words: {language: texts}}
const language = chooseLanguage(params.get("lang") ? [params.get("lang")] : navigator.languages);
const words = known.words[language];
const worker = keepFiles();

document.documentElement.lang = language;
byId("games").href = `game.html?lang=${encodeURIComponent(language)}`;
byId("about").textContent = say("browser.about");
for (const name of ["save", "simulate", "licences", "share", "games"]) label(byId(name).querySelector("summary") || byId(name), name);
label(byId("open").querySelector("span"), "open");

if (!window.WebAssembly || !window.DecompressionStream || !navigator.locks) byId("loading").textContent = say("browser.old");
else hold();

function say(key, fields = {}) {
  return words[key].replace(/\{(\w+)\}/g, (_, name) => fields[name] ?? "");
}

function label(element, name) {
  element.textContent = say(`browser.${name}`);
}

// The first language of the browser that has texts, or one that is related to it.
function chooseLanguage(wanted) {
  const all = Object.keys(known.words);
  for (const tag of wanted) {
    const root = tag.split("-")[0].toLowerCase();
    const found = all.find((each) => each.toLowerCase() === tag.toLowerCase()) || all.find((each) => each.split("-")[0] === root);
    if (found) return found;
  }
  return all[0];
}

// Two tabs would overwrite each other's store: the first one has the table.
function hold() {
  navigator.locks.request(`truco ${new URL(".", location).pathname}`, { ifAvailable: true }, async (lock) => {
    if (!lock) {
      byId("loading").textContent = say("browser.taken");
      return;
    }
    offer();
    await new Promise(() => {});
  });
}

// Nothing is downloaded unasked; what was downloaded before starts at once.
async function offer() {
  if (await isKept()) {
    play();
    return;
  }
  const go = byId("go");
  go.textContent = say("browser.start", { size: (known.size / 1e6).toLocaleString(language, { maximumFractionDigits: 1 }) });
  go.hidden = false;
  go.addEventListener("click", play, { once: true });
}

async function isKept() {
  return Boolean(window.caches && navigator.serviceWorker.controller && (await caches.match(new URL("table.pack", location))));
}

async function play() {
  byId("go").hidden = true;
  byId("loading").textContent = say("browser.loading");
  keepAwake(true);
  askForStorage();
  notify.unstored = (why) => warn(say("browser.unstored", { why }));
  notify.finished = (game) => {
    byId("over").hidden = !game;
    byId("share").href = `game.html?lang=${encodeURIComponent(language)}${game ? `&game=${game}` : ""}`;
  };
  notify.failed = (why) => warn(say("browser.failed", { why }));
  options.language = language;
  options.variant = params.get("variant") || "";
  options.panels = window.matchMedia(NARROW).matches ? 1 : 2;
  await worker;
  // Every picture sets it again: only the first one counts.
  const first = new MutationObserver(() => {
    first.disconnect();
    shown();
  });
  first.observe(document.documentElement, { attributeFilter: ["data-ready"] });
  await import("./front.js");
}

// The box has drawn its first picture.
function shown() {
  byId("start").hidden = true;
  for (const name of ["box", "guided", "save", "open", "games", "simulate"]) byId(name).hidden = false;
  offerGuide(say);
  // The button that had the focus is hidden.
  byId("box").focus({ preventScroll: true });
  window.dispatchEvent(new Event("resize"));
  const { controller } = navigator.serviceWorker || {};
  if (controller) controller.postMessage("rest");
}

function warn(text) {
  byId("warning").textContent = text;
  byId("warning").hidden = false;
}

async function askForStorage() {
  const { storage } = navigator;
  const isPromised = storage && storage.persist && ((await storage.persisted()) || (await storage.persist()));
  if (!isPromised) warn(say("browser.unkept"));
}

// Waits until the service worker serves this page; without one it works, but not offline.
async function keepFiles() {
  if (!navigator.serviceWorker) return;
  const controlled = new Promise((resolve) => {
    if (navigator.serviceWorker.controller) resolve();
    navigator.serviceWorker.addEventListener("controllerchange", resolve, { once: true });
    setTimeout(resolve, CONTROLLED);
  });
  try {
    await navigator.serviceWorker.register("service_worker.js");
    await controlled;
  } catch {
    // A browser may refuse it, such as in a private window.
  }
}

byId("save").addEventListener("click", async () => {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([await scoreSheet()], { type: "text/plain" }));
  link.download = `truco-${new Date().toISOString().slice(0, 10)}.truco`;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60000);
});

byId("open").querySelector("input").addEventListener("change", async (event) => {
  const [file] = event.target.files;
  if (!file) return;
  const why = await openScoreSheet(await file.text());
  event.target.value = "";
  if (why) warn(say("browser.unread", { why }));
  else byId("warning").hidden = true;
});
