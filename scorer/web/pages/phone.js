// A paired phone: the console of one team.
// Sends each press with the number of the state shown; the table accepts or refuses it.

import { followReports } from "./stream.js";
import { colourSides, fitAll, makeFitting, replaceChildren, setText } from "./dom.js";
import { createElement } from "./element.js";
import { request } from "./request.js";
import { createSpeaker } from "./words.js";
import { keepAwake } from "./wake_lock.js";

const params = new URLSearchParams(location.search);
const byId = (id) => document.getElementById(id);
const page = document.documentElement;
const MIN_SHOWN_MS = 350; // how long a score must be shown before presses are sent
const ARMED_MS = 3000; // time for the second tap of a protected button
const ANNOUNCE_MS = 600; // a burst of changes is one announcement
const HEADINGS = { pair: "title", choose: "whom", naming: "naming-title", hands: "hands-title", play: "head" }; // of each view
const SIDE_KEY = "truco.side"; // local storage key of the chosen side
const ANSWERS = ["quiero", "no_quiero", "undo"]; // the buttons that count while the box asks

// Elements are kept: the focus stays.
const buttons = new Map(); // id -> its element
const ownName = createElement("span", "name");
const boardLink = createElement("a", "");
boardLink.href = `/${location.search}`;

let words = null;
let report = null;
let phone = null; // the table's data of this phone
let side = storedSide();
let armed = ""; // a button that waits for its second tap
let armTimer = 0;
let heard = ""; // the news announced to screen readers
let announceTimer = 0;
let naming = false; // the form for the teams' names is open
let hands = null; // the last hands with their corrections, while they are shown
let sending = false;
let staleReason = ""; // why the report may be stale
let staleAge = null; // the last age, shown again when the words are loaded
let refusal = null; // the last refusal, until the next press
let ownSeq = -1; // the newest row written by this phone
let changedAt = 0; // when a score arrived that this phone had not written

// Sets children that are kept between calls: one that stays in place keeps its focus.
function setChildren(element, ...inside) {
  const wanted = inside.filter(Boolean);
  [...element.childNodes].filter((each) => !wanted.includes(each)).forEach((each) => each.remove());
  wanted.forEach((each, at) => {
    if (element.childNodes[at] !== each) element.insertBefore(each, element.childNodes[at] || null);
  });
}

function storedSide() {
  try {
    return localStorage.getItem(SIDE_KEY) || "";
  } catch (_error) {
    return "";
  }
}

function chooseSide(wanted) {
  side = wanted;
  refusal = null;
  try {
    localStorage.setItem(SIDE_KEY, wanted);
  } catch (_error) {
    // The page asks again next time.
  }
  draw();
}

function send(path, body) {
  const headers = { "Content-Type": "application/json", "X-Truco": "1" };
  return request(path, { method: "POST", headers, body: JSON.stringify(body) })
    .then((answer) => (answer.status === 429 ? { error: "SLOW" } : answer.json()))
    .catch(() => ({ error: "GONE" }));
}

// Fetch the phone's data and the valid buttons for the newest score.
function loadPhone(again) {
  request("/api/v1/phone")
    .then((answer) => (answer.ok ? answer.json() : Promise.reject(new Error(answer.status))))
    .then((next) => {
      phone = next;
      draw();
      const late = phone.paired && report && report.state && phone.at !== report.state.seq;
      if (late && again) setTimeout(() => loadPhone(again - 1), 250);
    })
    .catch(() => again && setTimeout(() => loadPhone(again - 1), 1000));
}

function pair(event) {
  event.preventDefault();
  if (sending) return;
  sending = true;
  send("/api/v1/pair", { code: byId("code").value, name: byId("name").value }).then((answer) => {
    sending = false;
    refusal = answer.ok ? null : answer;
    byId("code").value = "";
    if (answer.ok) loadPhone(3);
    draw();
  });
}

function press(button, shared) {
  const { state } = report;
  if (sending || staleReason || !state) return;
  if (Date.now() - changedAt < MIN_SHOWN_MS) {
    refusal = { error: "STALE" };
    draw();
    return;
  }
  const [key, hold] = button.split(".");
  const asked = ownQuestion();
  const question = asked ? asked.key : "";
  sending = true;
  refusal = null;
  draw();
  send("/api/v1/press", { side: shared ? "" : side, button: key, hold: Boolean(hold), seq: state.seq, number: state.number, question }).then(
    (answer) => {
      sending = false;
      refusal = answer.ok ? null : answer;
      if (answer.ok) ownSeq = answer.seq;
      if (answer.error === "UNPAIRED") phone = { paired: false };
      if (answer.ok && navigator.vibrate) navigator.vibrate(20);
      draw();
      loadPhone(2);
    },
  );
}

// The form keeps what is typed while reports arrive: its fields are made once.
function openNaming() {
  const { state, phrases } = report;
  const fields = state.sides.map((each, index) => {
    const field = createElement("input", "");
    field.name = each;
    field.value = state.names[each];
    field.maxLength = 40;
    field.autocomplete = "off";
    return createElement("label", `side-${index}`, createElement("span", "who", phrases.names[each]), field);
  });
  const known = (phone.pairs || []).map((names) => {
    const button = createElement("button", "", names.join(" · "));
    button.type = "button";
    button.addEventListener("click", () => saveNames(Object.fromEntries(state.sides.map((each, index) => [each, names[index]]))));
    return button;
  });
  const evening = (phrases.night ? phrases.night.rows : []).map(({ id, name, games }) => {
    const field = createElement("input", "");
    field.dataset.pair = id;
    field.defaultValue = name;
    field.maxLength = 40;
    field.autocomplete = "off";
    return createElement("label", "", createElement("span", "who", `${name} · ${games}`), field);
  });
  byId("night").hidden = !evening.length;
  setText(byId("night-title"), words.say("web.night"));
  replaceChildren(byId("night-fields"), ...evening);
  replaceChildren(byId("fields"), ...fields);
  replaceChildren(byId("pairs"), ...known);
  setText(byId("naming-title"), words.say("phone.names"));
  setText(byId("save"), words.say("phone.save"));
  setText(byId("leave"), words.say("phone.leave"));
  refusal = null;
  naming = true;
  draw();
}

function closeNaming() {
  naming = false;
  refusal = null;
  draw();
}

function saveNames(names) {
  if (sending) return;
  sending = true;
  send("/api/v1/names", { names }).then((answer) => answer.ok ? renamePairs() : answer).then((answer) => {
    sending = false;
    refusal = answer.ok ? null : answer;
    if (answer.ok) naming = false;
    if (answer.error === "UNPAIRED") phone = { paired: false };
    draw();
  });
}

// The changed names of the evening's pairs, one after another; stops at a refusal.
async function renamePairs() {
  for (const field of byId("night-fields").querySelectorAll("input")) {
    const name = field.value.trim();
    if (name === field.defaultValue) continue;
    const answer = await send("/api/v1/pair_name", { pair: field.dataset.pair, name });
    if (answer.error === "NAME") return { error: "RIVAL" };
    if (!answer.ok) return answer;
    field.defaultValue = name;
  }
  return { ok: true };
}

// The last hands, each with its corrections: made anew for every score.
function openHands() {
  const language = params.get("lang") ? `?lang=${encodeURIComponent(params.get("lang"))}` : "";
  request(`/api/v1/hands${language}`)
    .then((answer) => (answer.ok ? answer.json() : Promise.reject(new Error(answer.status))))
    .then((next) => {
      hands = Object.assign({}, next, { number: report.state.number });
      refusal = null;
      drawHands();
      draw();
    })
    .catch(() => {
      refusal = { error: "GONE" };
      draw();
    });
}

function drawHands() {
  for (const id of [...buttons.keys()].filter((each) => each.startsWith("fix-"))) buttons.delete(id);
  setText(byId("hands-title"), `${words.say("phone.hands")} ${hands.scores}`);
  setText(byId("leave-hands"), words.say("phone.leave"));
  redrawHands();
}

function redrawHands() {
  const made = hands.hands.flatMap(({ text, corrections }, at) => [
    createElement("h2", "hand", text),
    ...corrections.map((each) => confirmButton(`fix-${at}-${each.key}`, `${each.text} > ${each.scores}`, () => correct(at, each.key))),
  ]);
  setChildren(byId("last-hands"), ...made);
}

function closeHands() {
  hands = null;
  refusal = null;
  draw();
}

// The table answers whose QUIERO it waits for; that team presses it on the box or on its phone.
function correct(hand, correction) {
  if (sending || staleReason) return;
  sending = true;
  send("/api/v1/correct", { hand, correction, seq: hands.at, number: hands.number }).then((answer) => {
    sending = false;
    refusal = answer.ok ? null : answer;
    if (answer.ok) {
      ownSeq = answer.seq;
      hands = null;
      const asked = answer.asked.map((each) => report.phrases.names[each]).join(" · ");
      const yes = report.phrases.accept;
      if (asked) refusal = { confirm: words.say("phone.confirm", { side: asked, yes }) };
    }
    if (answer.error === "UNPAIRED") phone = { paired: false };
    draw();
    loadPhone(2);
  });
}

function unpair() {
  send("/api/v1/unpair", {}).then(() => {
    phone = { paired: false };
    draw();
  });
}

// The button of this id; made once.
function keepButton(id, onClick) {
  if (!buttons.has(id)) {
    const made = createElement("button", "");
    made.type = "button";
    made.dataset.key = id;
    made.append(createElement("span", ""), createElement("b", ""));
    made.addEventListener("click", onClick);
    buttons.set(id, made);
  }
  return buttons.get(id);
}

function plainButton(id, kind, label, onClick) {
  const made = keepButton(id, onClick);
  made.className = kind;
  setText(made.firstChild, label);
  made.lastChild.hidden = true;
  return made;
}

// The first tap shows what the second one will do.
function confirmButton(id, label, act) {
  const isArmed = armed === id;
  const again = words.say("phone.again", { word: label });
  return plainButton(id, isArmed ? "armed" : "", isArmed ? again : label, (event) => {
    if (armed === id) {
      disarm();
      act();
      return;
    }
    disarm();
    armed = id;
    // Keys and switches take the time they need.
    if (event.detail) armTimer = setTimeout(disarm, ARMED_MS);
    else event.currentTarget.addEventListener("blur", disarm, { once: true });
    draw();
    announce(buttons.get(id).textContent);
  });
}

function disarm() {
  clearTimeout(armTimer);
  if (!armed) return;
  armed = "";
  draw();
}

function counts(button, place) {
  return !whyNot(button, place);
}

// Why a button does not count in the score shown, in words; "" if it counts.
function whyNot(button, place) {
  const question = ownQuestion();
  const answers = mayAnswer(question, button);
  if (question && !question.phones && (answers || question.blocks)) return words.say("notice.phone_question");
  if (answers) return "";
  if (question && question.blocks) return noticeText({ say: "notice.question" });
  const there = (phone.buttons && phone.buttons[place]) || [];
  if (there.includes(button)) return "";
  const reasons = (phone.reasons && phone.reasons[place]) || {};
  return (button in reasons && noticeText(reasons[button])) || words.say("notice.not_now");
}

// The open question, unless it is to the other team's console.
function ownQuestion() {
  const { question } = report.state;
  return question && (!question.console || question.console === side) ? question : null;
}

// Whether a button of this console answers the question; any other press dismisses it and counts.
function mayAnswer(question, button) {
  if (!question || !ANSWERS.includes(button)) return false;
  return question[button === "quiero" ? "yes" : "no"].by.includes(side);
}

// Every button takes presses: the table answers why one does not count.
function keyButton(button, label, kind, pays) {
  const shared = button === "undo" || button === "tied";
  const why = whyNot(button, shared ? "" : side);
  const made = keepButton(button, () => press(button, shared));
  made.className = `${kind} ${why ? "dim" : "lit"}`;
  setText(made.firstChild, label);
  setText(made.lastChild, pays);
  made.lastChild.hidden = !pays;
  describe(made, staleReason ? words.say(`web.${staleReason}`) : why);
  return made;
}

// Whether a button counts, for screen readers; with the reason if not.
function describe(button, why) {
  const id = `why-${button.dataset.key}`;
  if (!byId(id)) {
    byId("reasons").append(createElement("span", ""));
    byId("reasons").lastChild.id = id;
  }
  setText(byId(id), why);
  button.setAttribute("aria-disabled", String(Boolean(why)));
  if (why) button.setAttribute("aria-describedby", id);
  else button.removeAttribute("aria-describedby");
}

// The side at a console: a team, one of three, or a camp of pata de gallo.
function consoleName({ state, phrases }, console) {
  if (state.gallo === null) return phrases.names[console];
  return phrases.names[console === "A" ? "gallo" : "pair"];
}

function consoles() {
  return Object.keys((phone && phone.buttons) || {}).filter(Boolean);
}

function drawPair() {
  const paired = !phone || phone.paired;
  byId("pair").hidden = paired;
  if (paired) return;
  setText(byId("title"), words.say("phone.title"));
  setText(byId("how"), words.say("phone.how"));
  setText(byId("code-label"), words.say("phone.code"));
  setText(byId("name-label"), words.say("phone.name"));
  setText(byId("connect"), words.say("phone.pair"));
}

function drawChoice(state) {
  const places = consoles();
  const open = Boolean(phone && phone.paired && state && places.length && !places.includes(side));
  byId("choose").hidden = !open;
  if (!open) return open;
  setText(byId("whom"), words.say("phone.side"));
  const made = places.map((place, index) =>
    plainButton(`side-${place}`, `wide side-${index}`, consoleName(report, place), () => chooseSide(place)),
  );
  setChildren(byId("sides"), ...made);
  return open;
}

function isMine(state, each) {
  if (state.gallo === null) return each === side;
  return (each === state.gallo) === (side === "A");
}

// The phone's own side is on the left; names are those of the board.
function drawScores({ state, phrases }) {
  // The width too, which is 0 while the scores are hidden.
  const key = JSON.stringify([phrases.sides, state.gallo, side, byId("scores").clientWidth]);
  if (byId("scores").dataset.key === key) return;
  byId("scores").dataset.key = key;
  const order = state.sides.filter((each) => isMine(state, each)).concat(state.sides.filter((each) => !isMine(state, each)));
  const made = order.map((each) => {
    const { name, score, spoken } = phrases.sides[each];
    return createElement(
      "div",
      `score side-${state.sides.indexOf(each)}${isMine(state, each) ? " mine" : ""}`,
      makeFitting("span", "who", name),
      createElement("b", "", score),
      createElement("span", "spoken", spoken),
    );
  });
  replaceChildren(byId("scores"), ...made);
  fitAll(byId("scores"));
}

function drawNow({ state, phrases }) {
  const { call, event, next, result, stake } = phrases;
  const question = ownQuestion() ? phrases.question : null;
  const head = question ? question.text : event || stake;
  const offered = result && result.asks;
  // While a team decides on a hand, who is mano in it.
  const asked = call && call.asks && call.no && (call.family === "mao" ? `${call.asks} · ${call.line}` : call.asks);
  const under = asked || offered || (next && next.answers ? next.text : phrases.state);
  const elsewhere = question && !state.question.phones ? words.say("notice.phone_question") : "";
  setText(byId("head"), head);
  setText(byId("under"), question ? elsewhere : under);
}

function answerKeys({ phrases }) {
  const { accept, call, refuse } = phrases;
  const question = mayAnswer(ownQuestion(), "no_quiero") ? phrases.question : null;
  if (question) {
    return [
      keyButton("quiero", question.yes.means, "yes", question.yes.pays),
      keyButton("no_quiero", question.no.means, "no", question.no.pays),
    ];
  }
  if (!call || !call.no) return [keyButton("quiero", accept, "yes", ""), keyButton("no_quiero", refuse, "no", "")];
  // A flor is answered with FLOR, not with QUIERO.
  const plain = call.family === "flor" && call.yes.word !== accept;
  return [
    plain ? keyButton("quiero", accept, "yes", "") : keyButton("quiero", call.yes.word, "yes", call.yes.pays),
    keyButton("no_quiero", call.no.word, "no", call.no.pays),
  ];
}

function nextRung({ state, board }) {
  const rungs = board.ladder.filter((each) => each.word);
  if (!rungs.length) return words.say("label.truco");
  if (state.phase === "hand_over") return rungs[0].word;
  const ahead = rungs.find((each) => each.state === "ahead");
  return (ahead || rungs[rungs.length - 1]).word;
}

function drawKeys() {
  const names = phone.words || {};
  const calls = [
    names.envido && keyButton("envido", names.envido, "call", ""),
    names.flor && keyButton("flor", names.flor, "call", ""),
    keyButton("truco", nextRung(report), "call truco", ""),
  ];
  const more = [
    counts("envido.held", side) && names.envido && keyButton("envido.held", `${names.envido} …`, "small", ""),
    counts("flor.held", side) && names.flor && keyButton("flor.held", `${names.flor} …`, "small", ""),
    counts("no_quiero.held", side) && confirmButton("fold", report.phrases.fold, () => press("no_quiero.held", false)),
    counts("tied", "") && keyButton("tied", words.say("phone.tied"), "small", ""),
  ];
  const some = calls.filter(Boolean);
  byId("calls").className = `row calls-${some.length}`;
  setChildren(byId("answers"), ...answerKeys(report));
  setChildren(byId("calls"), ...some);
  const undo = keyButton("undo", words.say("label.undo.small"), "undo", "");
  setChildren(byId("points"), undo, keyButton("tantos", words.say("label.tantos"), "tantos", ""));
  setChildren(byId("more"), ...more);
}

// A notice of the table in words.
function noticeText({ say, side: of, word }) {
  const { phrases } = report;
  // A phone has a button of its own for the fold, and no holds.
  return words.say(say === "notice.tap_fold" ? "refusal.NOTHING_TO_ANSWER" : say, {
    yes: phrases ? phrases.accept : "",
    no: phrases ? phrases.refuse : "",
    tantos: words.say("label.tantos"),
    word: word || "",
    side: of && phrases ? phrases.names[of] : "",
    paid: phrases ? phrases.reasons.map(({ line }) => line).join(" · ") : "",
  });
}

function drawRefusal() {
  const text = refusal && (refusal.confirm ? refusal.confirm : refusal.say ? noticeText(refusal) : words.say(`phone.${refusal.error}`));
  setText(byId("said"), refusal ? text || words.say("phone.GONE") : "");
}

function drawFoot() {
  const paired = Boolean(phone && phone.paired);
  setText(boardLink, words.say("phone.board"));
  setText(ownName, paired ? phone.name : "");
  setChildren(
    byId("foot"),
    paired && ownName,
    boardLink,
    paired && consoles().includes(side) && plainButton("swap", "", words.say("phone.swap"), () => chooseSide("")),
    paired && report.state && !naming && plainButton("names", "", words.say("phone.names"), openNaming),
    paired && report.state && !naming && !hands && plainButton("last", "", words.say("phone.hands"), openHands),
    paired && confirmButton("forget", words.say("phone.forget"), unpair),
  );
}

function draw() {
  if (!words || !report) return;
  const { state, phrases } = report;
  const focused = document.activeElement;
  if (state) colourSides(state, state.sides);
  drawPair();
  const paired = Boolean(phone && phone.paired && state);
  naming = naming && paired;
  byId("naming").hidden = !naming;
  if (!paired || naming) hands = null;
  byId("hands").hidden = !hands;
  if (hands) redrawHands();
  const choosing = drawChoice(state);
  byId("choose").hidden = !choosing || naming || Boolean(hands);
  const playing = paired && !choosing && !naming && !hands && Boolean(consoles().length);
  byId("play").hidden = !playing;
  keepAwake(playing);
  if (playing) {
    drawScores(report);
    drawNow(report);
    drawKeys();
    if (phrases.news !== heard) announce(phrases.news);
    heard = phrases.news;
  }
  const faults = (paired && phrases && phrases.faults) || [];
  byId("faults").hidden = !faults.length;
  setText(byId("faults"), faults.join(" · "));
  drawRefusal();
  drawFoot();
  keepFocus(focused);
  document.title = words.say("phone.title");
  page.dataset.ready = phone ? "yes" : "no";
  page.dataset.shown = report.id;
  page.dataset.at = phone && phone.paired ? phone.at : "";
}

// Move the focus from an element that has gone to the heading of what is shown instead.
function keepFocus(focused) {
  if (!focused || focused === document.body) return;
  if (focused.isConnected && !focused.closest("[hidden]")) return;
  const view = Object.keys(HEADINGS).find((each) => !byId(each).hidden);
  if (view) byId(HEADINGS[view]).focus();
}

// Screen readers get one sentence shortly after the last change of a burst.
function announce(sentence) {
  clearTimeout(announceTimer);
  announceTimer = setTimeout(() => setText(byId("live"), sentence), ANNOUNCE_MS);
}

function showAge(reason, seconds) {
  staleAge = [reason, seconds];
  if (!words) return;
  const changed = reason !== staleReason;
  staleReason = reason;
  page.dataset.stale = staleReason ? "yes" : "no";
  byId("stale").hidden = !staleReason;
  // Only the reason is a status: the age changes every second.
  setText(byId("why-stale"), staleReason && words.say(`web.${staleReason}`));
  setText(byId("age"), staleReason && staleReason !== "trouble" ? `· ${words.ageText(seconds)}` : "");
  if (changed) draw();
}

function applyTheme() {
  const light = window.matchMedia("(prefers-color-scheme: light)").matches;
  const theme = params.get("theme") || page.dataset.theme;
  page.dataset.look = ["dark", "light", "night"].includes(theme) ? theme : light ? "light" : "dark";
}

applyTheme();
byId("pair").addEventListener("submit", pair);
byId("leave").addEventListener("click", closeNaming);
byId("leave-hands").addEventListener("click", closeHands);
byId("naming").addEventListener("submit", (event) => {
  event.preventDefault();
  saveNames(Object.fromEntries([...byId("fields").querySelectorAll("input")].map((field) => [field.name, field.value])));
});
// More texts than the board has.
const speak = createSpeaker(
  params,
  (next) => {
    words = next;
    if (staleAge) showAge(...staleAge);
    draw();
  },
  ".phone",
);
document.addEventListener("visibilitychange", () => document.hidden || loadPhone(2));
followReports((next) => {
  const before = report && report.state;
  if (before && next.state && next.state.number !== before.number && next.state.seq !== ownSeq && !sending) changedAt = Date.now();
  report = next;
  // The hands are those of another score.
  if (hands && next.state && next.state.seq !== hands.at) hands = null;
  speak(next.language);
  draw();
  loadPhone(3);
}, showAge);
