// The guided hand around the box: offered on a first visit, and started again by its button.

import { guide, notify } from "./connection.js";

const ANSWERED = "truco guide"; // in localStorage: the offer was answered
const byId = (id) => document.getElementById(id);
const section = byId("guide");
const verdict = byId("verdict");
let say = null;
let pressed = null; // observes presses while the offer stands

// `texts`: returns the text of a key. Call it when the box is shown.
export function offerGuide(texts) {
  say = texts;
  byId("guided").textContent = say("browser.guide");
  byId("guide-go").textContent = say("browser.guide.go");
  byId("guided").onclick = begin;
  byId("guide-go").onclick = begin;
  byId("guide-leave").onclick = leave;
  notify.guided = (now) => (now ? draw(now) : rest());
  if (isAnswered()) return;
  show(say("browser.guide"), [say("browser.guide.offer")], say("browser.guide.no"));
  byId("guide-go").hidden = false;
  // A press at the table answers too, by finger or key.
  const { presses } = verdict.dataset;
  pressed = new MutationObserver(() => verdict.dataset.presses === presses || answer());
  pressed.observe(verdict, { attributeFilter: ["data-presses"] });
}

const isGuided = () => document.documentElement.dataset.guided === "yes";

async function begin() {
  answer();
  if (!(await guide(true))) show(say("browser.guide"), [say("browser.guide.none")], say("browser.guide.leave"));
  section.focus();
}

async function leave() {
  answer();
  if (isGuided()) await guide(null);
  // On a phone the button is below the box, which stays on the screen.
  byId("guided").focus({ preventScroll: true });
}

function draw(now) {
  document.documentElement.dataset.guided = "yes";
  show(say("browser.guide.title"), now.texts, say(now.is_over ? "browser.guide.leave" : "browser.guide.skip"));
  for (const button of document.querySelectorAll("[data-line]")) button.classList.toggle("next", button.dataset.line === now.line);
}

// The table of the kept score is shown.
function rest() {
  if (!isGuided()) return;
  document.documentElement.dataset.guided = "no";
  section.hidden = true;
  for (const button of document.querySelectorAll(".next")) button.classList.remove("next");
}

function show(title, texts, out) {
  section.hidden = false;
  byId("guide-title").textContent = title;
  byId("guide-leave").textContent = out;
  byId("guide-go").hidden = true;
  const lines = texts.map((text) => Object.assign(document.createElement("p"), { textContent: text }));
  if (byId("guide-texts").textContent !== texts.join("")) byId("guide-texts").replaceChildren(...lines);
}

function answer() {
  if (pressed) pressed.disconnect();
  section.hidden = true;
  try {
    localStorage.setItem(ANSWERED, "yes");
  } catch {
    // A browser that keeps nothing asks again.
  }
}

function isAnswered() {
  try {
    return localStorage.getItem(ANSWERED) === "yes";
  } catch {
    return false;
  }
}
