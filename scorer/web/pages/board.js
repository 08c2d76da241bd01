// The board for television and phones: draws each new report.

import { colourSides, fitAll, makeFitting, replaceChildren, setText } from "./dom.js";
import { drawChart, drawTally } from "./draw.js";
import { createElement } from "./element.js";
import { createIdleScreen } from "./idle.js";
import { followReports } from "./stream.js";
import { GAME_PAGE, gameCode } from "./transport.js";
import { OVER, WAITING, createSpeaker } from "./words.js";

const params = new URLSearchParams(location.search);
const byId = (id) => document.getElementById(id);
const page = document.documentElement;
const sideParts = new Map(); // side -> its elements
let words = null;
let report = null;
let announced = ""; // the last announcement to screen readers
let age = ["", 0]; // the last displayed age of the report
let announceTimer = 0;

function sideElements(side, index) {
  const known = sideParts.get(side);
  if (known) return known;
  const name = createElement("span");
  const made = {
    name,
    marks: createElement("span", "marks"),
    score: createElement("span"),
    said: createElement("p", "said"),
    tally: createElement("div", "tally"),
    points: null,
    laid: "",
  };
  made.box = createElement(
    "article",
    `side side-${index}`,
    createElement("header", "head", createElement("h2", "name fit", name), made.marks),
    createElement("p", "score fit", made.score),
    made.said,
    made.tally,
  );
  sideParts.set(side, made);
  return made;
}

function drawSides({ state, board, phrases }) {
  const key = phrases.order.join("");
  const box = byId("sides");
  if (box.dataset.order !== key) {
    sideParts.clear();
    box.dataset.order = key;
    replaceChildren(box, ...phrases.order.map((side, index) => sideElements(side, index).box));
  }
  phrases.order.forEach((side) => drawSide(state, board, phrases.sides[side], side));
}

function drawSide(state, board, phrases, side) {
  const part = sideParts.get(side);
  setText(part.name, phrases.name);
  setText(part.score, phrases.score);
  setText(part.said, phrases.spoken);
  // A board says it of the hand that is shown, which may be the next one.
  const { gallo, mano } = board;
  drawMarks(part, state, side, { gallo, mano: board.next_mano || mano, games: phrases.games });
  part.box.classList.toggle("owes", sidesOwing(state, board).includes(side));
  part.box.classList.toggle("winner", state.winner === side);
  part.box.classList.toggle("gallo", gallo === side);
  if (part.points !== null && part.points !== Number(phrases.score)) blink(part.box);
}

function blink(element) {
  element.classList.remove("changed");
  void element.offsetWidth; // restarts the animation
  element.classList.add("changed");
}

function drawMarks(part, state, side, { gallo, mano, games }) {
  const marks = [];
  const bestOf = state.rematches ? 3 : state.best_of; // a series by rematches: the bueno is its last
  const wanted = bestOf > 1 ? Math.floor(bestOf / 2) + 1 : 0;
  if (wanted) {
    const won = (state.rematches || state.games)[side];
    const pips = createElement("span", "pips", "●".repeat(Math.min(won, wanted)) + "○".repeat(Math.max(0, wanted - won)));
    pips.setAttribute("role", "img");
    pips.setAttribute("aria-label", games);
    marks.push(pips);
  }
  if (gallo === side) marks.push(createElement("span", "badge", words.say("side.gallo")));
  if (state.winner === side) marks.push(createElement("span", "pips", "★"));
  if (mano === side && !state.winner) marks.push(createElement("span", "badge mano", words.say("web.mano")));
  const key = marks.map((each) => each.textContent).join("|");
  if (part.marks.dataset.key === key) return;
  part.marks.dataset.key = key;
  replaceChildren(part.marks, ...marks);
}

// Last, because the size of the matches depends on the elements around them.
function updateTally({ state, phrases }, side) {
  const part = sideParts.get(side);
  const points = Number(phrases.sides[side].score);
  const box = { width: part.tally.clientWidth, height: part.tally.clientHeight };
  const total = state.pot === null ? state.target : Math.max(state.target, ...state.sides.map((each) => state.score[each]));
  const key = [points, total, state.half, state.tally, box.width, box.height, page.lang].join();
  if (part.laid === key || !box.width || !box.height) return;
  part.laid = key;
  const labels = [words.say("web.malas"), words.say("web.buenas")];
  const before = part.points === null ? points : Math.min(part.points, points);
  replaceChildren(part.tally, drawTally(points, { total, half: state.half, size: state.tally, before, box, labels }));
  part.points = points;
}

// The sides that the table waits for; a pair as its two members.
function sidesOwing(state, { gallo, owes }) {
  return state.sides.filter((side) => owes.includes(side) || (owes.includes("pair") && side !== gallo));
}

const KINDS = { play: "play", call: "tall call", wait: "tall wait", over: "tall over", end: "end" };

function mode({ state, board }) {
  if (OVER.includes(state.phase)) return "end";
  // The next hand, once it is shown, has none after it.
  if (state.phase === "hand_over") return board.next_mano ? "over" : "play";
  if (WAITING.includes(state.phase)) return "wait";
  return state.phase === "playing" ? "play" : "call";
}

function drawBet(current) {
  const { board, phrases } = current;
  const partsOf = { play: playParts, call: callParts, wait: winnerParts, over: handOverParts, end: gameOverParts }[mode(current)];
  replaceChildren(byId("bet"), ...partsOf(phrases, board));
}

function playParts(phrases, board) {
  const { special, stake, reasons } = phrases;
  if (special) return [makeFitting("p", "banner", special.title), lineElement(special.detail)];
  const row = createElement("div", "stake-row", makeFitting("p", "stake", stake), ladder(phrases, board));
  return [row, reasons.length ? gainsElement(reasons) : lineElement(phrases.state, phrases.raise)];
}

function lineElement(...texts) {
  const text = texts.filter(Boolean).join(" · ");
  return text && makeFitting("p", "line", text);
}

function ladder(phrases, board) {
  const rungs = board.ladder.map((rung, index) => {
    if (!rung.word) return "";
    const value = createElement("b", "", phrases.ladder[index]);
    const made = createElement("li", `rung ${rung.state}`, value, createElement("span", "", rung.word));
    if (rung.state === "current") made.setAttribute("aria-current", "true");
    return made;
  });
  return createElement("ol", "ladder", ...rungs);
}

function callParts(phrases, board) {
  const { call, order } = phrases;
  if (!call) return playParts(phrases, board);
  return [
    call.family === "mao" ? decisionElement(call) : callElement(call, order),
    answerElements(call),
    createElement("div", "under", lineElement(call.line), ladder(phrases, board)),
  ];
}

function callElement(call, order) {
  const column = call.place < 0 || order.length > 2 ? "none" : call.place;
  const by = makeFitting("p", "by", call.by);
  const word = makeFitting("p", "word", call.shout);
  return createElement("div", `shout from-${column} by-${call.place}`, by, createElement("i", "arrow"), word);
}

function decisionElement(call) {
  return createElement("div", "shout", makeFitting("p", "by", call.asks), makeFitting("p", "word", call.title));
}

function answerElements({ yes, no }) {
  return createElement("div", "answers", answerElement(yes, "yes"), answerElement(no, "no"));
}

function answerElement({ word, pays, leads }, kind) {
  const price = pays && makeFitting("p", "pays", pays);
  return createElement("div", `answer ${kind}`, makeFitting("p", "choice", word), price, outcomeElement(leads));
}

// The score after an answer, or both scores if it depends on the winner of the bet.
function outcomeElement(leads) {
  const parts = leads.map(({ text, kind }) => {
    if (kind === "ends") return createElement("strong", "", text);
    return createElement("span", kind && `if ${kind}`, text);
  });
  return createElement("p", "leads", ...parts);
}

function winnerParts({ call, state, raise }) {
  if (!call) return [makeFitting("p", "banner", words.say("winner.who")), lineElement(state, raise)];
  const pays = makeFitting("p", "choice", call.yes.pays);
  const open = createElement("div", "answer open", pays, outcomeElement(call.yes.leads));
  return [decisionElement(call), createElement("div", "answers", open), lineElement(call.line, raise)];
}

function gainsElement(reasons) {
  return createElement("div", `gains gains-${reasons.length}`, ...reasons.map(gainElement));
}

function gainElement(gain) {
  return createElement("div", "gained", makeFitting("p", "gain", gain.amount), makeFitting("p", "why", gain.why));
}

function handOverParts({ reasons, next }) {
  const made = [reasons.length ? gainsElement(reasons) : makeFitting("p", "banner", words.say("why.none"))];
  if (next && next.answers) made.push(answerElements({ yes: next.answers[0], no: next.answers[1] }));
  if (next) made.push(makeFitting("p", next.is_special ? "line loud" : "line", next.text));
  return made;
}

function gameOverParts({ result }) {
  return [makeFitting("p", "banner", result.won), lineElement(result.margin, result.asks)];
}

function drawRecent({ phrases, recent }) {
  const made = recent.map((entry, at) => {
    const { who, gain, what, score } = phrases.recent[at];
    const row = createElement(
      "li",
      `entry by-${phrases.order.indexOf(entry.side)}${entry.undone ? " undone" : ""}`,
      entry.time ? createElement("time", "", entry.time) : "",
      createElement("b", "who", who),
      createElement("span", "what", [gain, what].filter(Boolean).join(" ")),
      createElement("span", "then", score),
    );
    if (entry.undone) row.append(createElement("span", "unseen", words.say("web.undone")));
    return row;
  });
  replaceChildren(byId("recent"), ...(made.length ? made : [createElement("li", "entry none", words.say("page.history.none"))]));
}

function drawReview({ state, phrases, hands }) {
  const over = OVER.includes(state.phase);
  byId("after").hidden = !over;
  // In this order: the chart takes the room that the ranking leaves.
  setText(byId("tonight"), phrases.night ? phrases.night.line : "");
  drawShare(over);
  replaceChildren(byId("night"), ...(over && phrases.night ? rankingParts(phrases.night) : []));
  updateChart(state, phrases, over ? hands : []);
}

// A link to the game, and its code, which a long game lacks.
function drawShare(over) {
  const box = byId("share");
  const key = over ? `${report.id} ${page.lang}` : "";
  if (box.dataset.key === key) return;
  box.dataset.key = key;
  replaceChildren(box);
  if (!over) return;
  const link = createElement("a", "", words.say("web.share"));
  link.href = `${GAME_PAGE}${location.search}`;
  const code = gameCode(`at=${encodeURIComponent(report.id)}`, words.say("web.share.code"), () => code.remove());
  box.append(code, createElement("figcaption", "", link));
}

function updateChart(state, phrases, all) {
  const sides = phrases.order;
  const hands = all.filter((each) => sides.every((side) => side in each.score));
  replaceChildren(byId("chart"));
  if (hands.length < 2) return;
  const keys = sides.map((side, index) => createElement("li", `side-${index}`, phrases.names[side]));
  const place = createElement("div", "steps-box");
  const caption = createElement("figcaption", "", words.say("web.chart"), createElement("ol", "keys", ...keys));
  replaceChildren(byId("chart"), caption, place);
  const box = { width: place.clientWidth, height: place.clientHeight };
  place.append(drawChart(hands, { sides, target: state.target, half: state.half, title: phrases.chart, box }));
}

function rankingParts(night) {
  const lines = night.rows.slice(0, 5).map((each) =>
    createElement(
      "li",
      "",
      createElement("b", "", each.won),
      createElement("span", "who", each.name),
      createElement("span", "much", each.games),
      each.streak && createElement("span", "streak", each.streak),
    ),
  );
  const sum = createElement("p", "sum", night.sum);
  return [createElement("h2", "", words.say("web.night")), createElement("ol", "", ...lines), sum];
}

function draw() {
  if (!report || !words) return;
  const { state, phrases } = report;
  if (!state) {
    page.dataset.ready = "no";
    return;
  }
  byId("board").className = `board ${KINDS[mode(report)]}${state.sides.length > 2 ? " three" : ""}`;
  colourSides(state, phrases.order);
  setText(byId("kind"), phrases.game);
  setText(byId("hand"), phrases.hand);
  drawSides(report);
  drawBet(report);
  drawRecent(report);
  drawReview(report);
  fitAll();
  state.sides.forEach((side) => updateTally(report, side));
  announce(phrases.sentence);
  document.title = phrases.title;
  page.dataset.ready = "yes";
  page.dataset.shown = report.id;
}

// Screen readers get one sentence shortly after the last change of a burst.
function announce(sentence) {
  if (sentence === announced) return;
  clearTimeout(announceTimer);
  announceTimer = setTimeout(() => {
    announced = sentence;
    byId("live").textContent = sentence;
  }, 600);
}

function showAge(why, seconds) {
  // An age that arrives before the words is shown once they are loaded.
  age = [why, seconds];
  if (!words) return;
  const known = Boolean(report && report.state);
  page.dataset.stale = why && sideParts.size ? "yes" : "no";
  byId("stale").hidden = known && !why;
  const reason = known || why === "trouble" ? why : "connecting";
  const ago = known && why !== "trouble" ? words.ageText(seconds) : "";
  if (reason) setText(byId("stale"), [words.say(`web.${reason}`), ago].filter(Boolean).join(" · "));
}

// Phones follow their own setting; televisions always report "light".
function applyTheme() {
  const light = window.matchMedia("(prefers-color-scheme: light)").matches && window.innerWidth < 700;
  const theme = params.get("theme") || page.dataset.theme;
  page.dataset.look = ["dark", "light", "night"].includes(theme) ? theme : light ? "light" : "dark";
}

// Static pictures burn in: shift everything a little at intervals.
function shiftPage() {
  const step = Math.floor(Date.now() / 60000);
  page.style.setProperty("--dx", `${(step % 5) - 2}px`);
  page.style.setProperty("--dy", `${(Math.floor(step / 5) % 5) - 2}px`);
}

applyTheme();
shiftPage();
setInterval(shiftPage, 60000);
const speak = createSpeaker(params, (next) => {
  words = next;
  draw();
  showAge(...age);
});
window.addEventListener("resize", () => {
  applyTheme();
  draw();
});
const idle = createIdleScreen(params.get("idle"), (isShown) => {
  page.dataset.idle = isShown ? "yes" : "no";
  if (!isShown) draw();
});
followReports((next) => {
  report = next;
  speak(next.language);
  draw();
  idle(next);
}, showAge);
