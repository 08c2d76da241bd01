// A paired phone: the console of one team, on the score that this page shows.
// It sends what was pressed with the row it has seen; whether it counts the table says.

import { follow } from "/static/stream.js";
import { make, put, write } from "/static/dom.js";
import { speaker } from "/static/words.js";

const asked = new URLSearchParams(location.search);
const at = (id) => document.getElementById(id);
const page = document.documentElement;
const SEEN = 350; // milliseconds that a score must have been shown before somebody can mean it
const ARMED = 3000; // milliseconds in which a second tap does what cannot be meant by accident
const KEPT = "truco.side"; // where the browser keeps whose buttons these are

let words = null;
let report = null;
let me = null; // what the table knows of this phone
let side = recalled();
let armed = ""; // a button that wants a second tap
let arming = 0;
let sending = false;
let why = ""; // why what is shown may be old
let age = null; // the same as it was heard, for words that come later
let said = null; // the last refusal, until the next press
let mine = -1; // the row up to which this phone knows the score because it wrote it
let changed = 0; // when another score came than this phone had written

function recalled() {
  try {
    return localStorage.getItem(KEPT) || "";
  } catch (error) {
    return "";
  }
}

function choose(wanted) {
  side = wanted;
  said = null;
  try {
    localStorage.setItem(KEPT, wanted);
  } catch (error) {
    // It is asked again next time.
  }
  draw();
}

function send(path, body) {
  const headers = { "Content-Type": "application/json", "X-Truco": "1" };
  return fetch(path, { method: "POST", headers, body: JSON.stringify(body), cache: "no-store" }).then(
    (answer) => (answer.status === 429 ? { error: "SLOW" } : answer.json().catch(() => ({ error: "GONE" }))),
    () => ({ error: "GONE" }),
  );
}

// What this phone is, and which buttons would count on the newest score.
function look(again) {
  fetch("/api/v1/phone", { cache: "no-store" })
    .then((answer) => (answer.ok ? answer.json() : Promise.reject(new Error(answer.status))))
    .then((next) => {
      me = next;
      draw();
      const late = me.paired && report && report.state && me.at !== report.state.seq;
      if (late && again) setTimeout(() => look(again - 1), 250);
    })
    .catch(() => again && setTimeout(() => look(again - 1), 1000));
}

function connect(event) {
  event.preventDefault();
  if (sending) return;
  sending = true;
  send("/api/v1/pair", { code: at("code").value, name: at("name").value }).then((answer) => {
    sending = false;
    said = answer.ok ? null : answer;
    at("code").value = "";
    if (answer.ok) look(3);
    draw();
  });
}

function press(button, shared) {
  const { state } = report;
  if (sending || why || !state) return;
  if (Date.now() - changed < SEEN) {
    said = { error: "STALE" };
    draw();
    return;
  }
  const [key, hold] = button.split(".");
  const question = state.question ? state.question.key : "";
  sending = true;
  said = null;
  draw();
  send("/api/v1/press", { side: shared ? "" : side, button: key, hold: Boolean(hold), seq: state.seq, question }).then(
    (answer) => {
      sending = false;
      said = answer.ok ? null : answer;
      if (answer.ok) mine = answer.seq;
      if (answer.error === "UNPAIRED") me = { paired: false };
      if (answer.ok && navigator.vibrate) navigator.vibrate(20);
      draw();
      look(2);
    },
  );
}

function forget() {
  send("/api/v1/unpair", {}).then(() => {
    me = { paired: false };
    draw();
  });
}

// The first tap says what the second one will do.
function twice(id, label, act) {
  const made = make("button", armed === id ? "armed" : "", armed === id ? words.say("phone.again", { word: label }) : label);
  made.type = "button";
  made.addEventListener("click", () => {
    clearTimeout(arming);
    if (armed === id) {
      armed = "";
      act();
    } else {
      armed = id;
      arming = setTimeout(() => {
        armed = "";
        draw();
      }, ARMED);
    }
    draw();
  });
  return made;
}

function lit(button, place) {
  const { question } = report.state;
  if (question) return question.phones && ["quiero", "no_quiero", "undo"].includes(button);
  const there = me && me.buttons && me.buttons[place];
  return Boolean(there && there.includes(button));
}

function key(button, label, kind, pays) {
  const shared = button === "undo" || button === "tied";
  const counts = lit(button, shared ? "" : side);
  const made = make("button", `${kind} ${counts ? "lit" : "dim"}`, make("span", "", label), pays ? make("b", "", pays) : "");
  made.type = "button";
  made.dataset.key = button;
  made.disabled = sending || Boolean(why);
  made.addEventListener("click", () => press(button, shared));
  return made;
}

// Who sits at a console: a team, one of three, or a camp of pata de gallo.
function seat(state, console) {
  if (state.gallo === null) return words.name(state, console);
  return words.name(state, console === "A" ? "gallo" : "pair");
}

function consoles() {
  return Object.keys((me && me.buttons) || {}).filter(Boolean);
}

function drawPair() {
  const paired = !me || me.paired;
  at("pair").hidden = paired;
  if (paired) return;
  write(at("title"), words.say("phone.title"));
  write(at("how"), words.say("phone.how"));
  write(at("code-label"), words.say("phone.code"));
  write(at("name-label"), words.say("phone.name"));
  write(at("connect"), words.say("phone.pair"));
}

function drawChoice(state) {
  const places = consoles();
  const open = Boolean(me && me.paired && state && places.length && !places.includes(side));
  at("choose").hidden = !open;
  if (!open) return open;
  write(at("whom"), words.say("phone.side"));
  const made = places.map((place, index) => {
    const button = make("button", `wide side-${index}`, seat(state, place));
    button.type = "button";
    button.addEventListener("click", () => choose(place));
    return button;
  });
  put(at("sides"), ...made);
  return open;
}

function isMine(state, each) {
  if (state.gallo === null) return each === side;
  return (each === state.gallo) === (side === "A");
}

// Whose buttons these are stands on the left; names are those of the board.
function drawScores(state) {
  const order = state.sides.filter((each) => isMine(state, each)).concat(state.sides.filter((each) => !isMine(state, each)));
  const made = order.map((each) => {
    const index = state.sides.indexOf(each);
    const mine = isMine(state, each) ? " mine" : "";
    return make(
      "div",
      `score side-${index}${mine}`,
      make("span", "who", words.name(state, each)),
      make("b", "", String(words.shown(state, state.score, each))),
      make("span", "spoken", words.spoken(state, each)),
    );
  });
  put(at("scores"), ...made);
}

function drawNow(state, board) {
  const { question } = state;
  if (question) {
    const fields = { word: question.word, number: question.number, side: words.name(state, question.side || "") };
    put(at("now"), make("h1", "big", words.say(`question.${question.key}`, fields)), make("p", "", question.phones ? "" : words.say("notice.phone_question")));
    return;
  }
  const event = words.event(state, board);
  const call = board && board.call;
  const owed = call && call.owes.length && call.no_quiero ? words.say("pending.owes", { side: call.owes.map((each) => words.name(state, each)).join(", ") }) : "";
  put(at("now"), make("h1", "big", event || words.stake(state.stake)), make("p", "", owed || words.state(state, board)));
}

// What an answer of a question pays, and to whom.
function priced(state, answer) {
  return answer.to ? `${words.signed(answer.points)} ${words.name(state, answer.to)}` : "";
}

function answers(state, board) {
  const yes = board ? board.accept : "quiero";
  const no = board ? board.refuse : "no quiero";
  const { question } = state;
  if (question) {
    const means = (answer, plain) => {
      const meant = answer.key || plain;
      return words.say(`answer.${meant}`);
    };
    return [
      key("quiero", means(question.yes, "yes_plain"), "yes", priced(state, question.yes)),
      key("no_quiero", means(question.no, "no_plain"), "no", priced(state, question.no)),
    ];
  }
  const call = board && board.call;
  if (!call || !call.no_quiero) return [key("quiero", yes, "yes", ""), key("no_quiero", no, "no", "")];
  // A flor is answered with FLOR, not with QUIERO.
  const plain = call.family === "flor" && call.quiero.word !== yes;
  return [
    plain ? key("quiero", yes, "yes", "") : key("quiero", call.quiero.word || yes, "yes", words.pays(state, call.quiero.points)),
    key("no_quiero", call.no_quiero.word || no, "no", words.pays(state, call.no_quiero.points)),
  ];
}

function rung(state, board) {
  const rungs = board ? board.ladder.filter((each) => each.word) : [];
  if (!rungs.length) return words.say("label.truco");
  if (state.phase === "hand_over") return rungs[0].word;
  const ahead = rungs.find((each) => each.state === "ahead");
  return (ahead || rungs[rungs.length - 1]).word;
}

function drawKeys(state, board) {
  const names = me.words || {};
  const calls = [
    names.envido && key("envido", names.envido, "call", ""),
    names.flor && key("flor", names.flor, "call", ""),
    key("truco", rung(state, board), "call truco", ""),
  ];
  const more = [
    lit("envido.held", side) && names.falta && key("envido.held", names.falta, "small", ""),
    lit("no_quiero.held", side) && twice("fold", words.say("action.fold"), () => press("no_quiero.held", false)),
    lit("tied", "") && key("tied", words.say("phone.tied"), "small", ""),
    key("undo", words.say("label.undo.small"), "small undo", ""),
  ];
  put(
    at("keys"),
    make("div", "row answers", ...answers(state, board)),
    make("div", `row calls-${calls.filter(Boolean).length}`, ...calls.filter(Boolean)),
    make("div", "row", key("tantos", words.say("label.tantos"), "tantos", "")),
    make("div", "row more", ...more.filter(Boolean)),
  );
}

function drawSaid(state, board) {
  const fields = { yes: board ? board.accept : "", no: board ? board.refuse : "", word: "", side: "" };
  let text = "";
  if (said) {
    fields.word = said.word || "";
    fields.side = said.side && state ? words.name(state, said.side) : "";
    text = said.say ? words.say(said.say, fields) : words.say(`phone.${said.error}`);
    text = text || words.say("phone.GONE");
  }
  write(at("said"), text);
}

function drawFoot(state) {
  const board = make("a", "", words.say("phone.board"));
  board.href = `/${location.search}`;
  const paired = Boolean(me && me.paired);
  const swap = make("button", "", words.say("phone.swap"));
  swap.type = "button";
  swap.addEventListener("click", () => choose(""));
  const made = [
    paired && make("span", "name", me.name),
    board,
    paired && consoles().includes(side) && swap,
    paired && twice("forget", words.say("phone.forget"), forget),
  ];
  put(at("foot"), ...made.filter(Boolean));
}

function draw() {
  if (!words || !report) return;
  const { state, board } = report;
  drawPair();
  const choosing = drawChoice(state);
  const playing = Boolean(me && me.paired && state && !choosing && consoles().length);
  at("play").hidden = !playing;
  if (playing) {
    const focused = document.activeElement && document.activeElement.dataset.key;
    drawScores(state);
    drawNow(state, board);
    drawKeys(state, board);
    const again = focused && document.querySelector(`[data-key="${focused}"]`);
    if (again) again.focus();
  }
  drawSaid(state, board);
  drawFoot(state);
  document.title = words.say("phone.title");
  page.dataset.ready = me ? "yes" : "no";
  page.dataset.shown = report.id;
  page.dataset.at = me && me.paired ? me.at : "";
}

function aged(reason, seconds) {
  age = [reason, seconds];
  if (!words) return;
  const changed = reason !== why;
  why = reason;
  page.dataset.stale = why ? "yes" : "no";
  at("stale").hidden = !why;
  if (why) write(at("stale"), [words.say(`web.${why}`), why === "trouble" ? "" : words.ago(seconds)].filter(Boolean).join(" · "));
  if (changed) draw();
}

function dress() {
  const light = window.matchMedia("(prefers-color-scheme: light)").matches;
  const theme = asked.get("theme") || page.dataset.theme;
  page.dataset.look = ["dark", "light", "night"].includes(theme) ? theme : light ? "light" : "dark";
}

dress();
at("pair").addEventListener("submit", connect);
// Its words are more than those of the board.
const speak = speaker(
  asked,
  (spoken) => {
    words = spoken;
    if (age) aged(...age);
    draw();
  },
  ".phone",
);
document.addEventListener("visibilitychange", () => document.hidden || look(2));
follow((next) => {
  const before = report && report.state;
  if (before && next.state && next.state.seq > Math.max(before.seq, mine) && !sending) changed = Date.now();
  report = next;
  speak(next.language);
  draw();
  look(3);
}, aged);
