// A strip over a picture: names, score, matches, and the call while it waits. All that may be chosen
// stands in the address: lang, theme, ours=A, bg=transparent or a colour as 00ff00, scale=1.5,
// side=top|bottom, show=score,call,tally.

import { colourSides, fitAll, makeFitting, replaceChildren } from "./dom.js";
import { drawTally } from "./draw.js";
import { createElement } from "./element.js";
import { followReports } from "./stream.js";
import { createSpeaker } from "./words.js";

const params = new URLSearchParams(location.search);
const byId = (id) => document.getElementById(id);
const shownParts = (params.get("show") || "score,call,tally").split(",");
let words = null;
let report = null;
let age = ["", 0];

function applyTheme() {
  const page = document.documentElement;
  const scale = Math.min(4, Math.max(0.25, Number(params.get("scale")) || 1));
  page.style.setProperty("--scale", scale);
  page.dataset.side = params.get("side") === "top" ? "top" : "bottom";
  const ground = params.get("bg") || "";
  if (/^[0-9a-f]{3}([0-9a-f]{3})?$/i.test(ground)) page.style.background = `#${ground}`;
}

function drawBar({ state, board, phrases }) {
  colourSides(state, phrases.order);
  return phrases.order.map((side, index) => {
    const { name, score } = phrases.sides[side];
    const made = createElement("section", `side side-${index}`, makeFitting("h2", "name", name));
    if (shownParts.includes("score")) made.append(createElement("p", "score", score));
    if (shownParts.includes("tally")) made.append(talliedPoints(state, Number(score)));
    if (state.winner === side) made.classList.add("winner");
    if (board.mano === side && !state.winner) made.classList.add("mano");
    return made;
  });
}

function talliedPoints(state, points) {
  const total = state.pot === null ? state.target : Math.max(state.target, points);
  const size = state.tally || 5; // of a table of an older version
  const count = Math.ceil(total / size);
  const box = { width: 64 * count, height: 64 };
  return createElement("div", "tally", drawTally(points, { total, half: null, size, before: points, box }));
}

// What is going on, in one line; nothing while nothing waits.
function drawStrip({ board, phrases }) {
  const { call, result, stake } = phrases;
  const loud = (text) => makeFitting("strong", "", text);
  if (result) return [loud(result.won)];
  if (call && call.family === "mao") return [loud(call.asks), ...answerElements(call)];
  if (call && !call.no) return [loud(call.title)];
  if (call) return [makeFitting("span", "", call.by), loud(call.shout), ...answerElements(call)];
  const rung = board.ladder.find((each) => each.state === "current");
  return rung && rung.word ? [loud(rung.word), createElement("span", "", stake)] : [];
}

function answerElements({ yes, no }) {
  const answer = ({ word, pays }, kind) => createElement("span", kind, `${word} `, createElement("b", "", pays));
  return [answer(yes, "yes"), answer(no, "no")];
}

function draw() {
  if (!report || !words || !report.state) return;
  byId("overlay").hidden = false;
  byId("bar").dataset.count = report.state.sides.length;
  replaceChildren(byId("bar"), ...drawBar(report));
  const said = shownParts.includes("call") ? drawStrip(report) : [];
  byId("call").hidden = said.length === 0;
  replaceChildren(byId("call"), ...said);
  fitAll();
  byId("live").textContent = report.phrases.sentence;
  document.documentElement.dataset.ready = "yes";
  document.documentElement.dataset.shown = report.id;
}

function showAge(why, seconds) {
  age = [why, seconds];
  const stale = why !== "" && words && report && report.state;
  document.documentElement.dataset.stale = stale ? "yes" : "no";
  byId("stale").hidden = !stale;
  if (stale) byId("stale").textContent = `${words.say(`web.${why}`)} · ${words.ageText(seconds)}`;
}

applyTheme();
window.addEventListener("resize", () => fitAll());
const speak = createSpeaker(params, (next) => {
  words = next;
  draw();
  showAge(...age);
});
followReports((next) => {
  report = next;
  speak(next.language);
  draw();
}, showAge);
