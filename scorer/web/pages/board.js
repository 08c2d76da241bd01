// The board for the television and the phones: one report in, one page out, over and over.

import { chart, tally } from "/static/draw.js";
import { follow } from "/static/stream.js";
import { fitAll, fitted, make, put, write } from "/static/dom.js";
import { OVER, WAITING, speaker } from "/static/words.js";

const asked = new URLSearchParams(location.search);
const at = (id) => document.getElementById(id);
const page = document.documentElement;
const parts = new Map(); // side -> its elements
let words = null;
let report = null;
let told = ""; // what listeners were told last
let age = ["", 0]; // what was said last of how old the report is
let telling = 0; // the timer of what they will be told

function sideOf(side, index) {
  const known = parts.get(side);
  if (known) return known;
  const name = make("span");
  const made = {
    name,
    marks: make("span", "marks"),
    score: make("span"),
    said: make("p", "said"),
    tally: make("div", "tally"),
    points: null,
    laid: "",
  };
  made.box = make(
    "article",
    `side side-${index}`,
    make("header", "head", make("h2", "name fit", name), made.marks),
    make("p", "score fit", made.score),
    made.said,
    made.tally,
  );
  parts.set(side, made);
  return made;
}

function drawSides(state, board) {
  const order = words.order(state);
  const key = order.join("");
  const box = at("sides");
  if (box.dataset.order !== key) {
    parts.clear();
    box.dataset.order = key;
    put(box, ...order.map((side, index) => sideOf(side, index).box));
  }
  order.forEach((side) => drawSide(state, board, side));
}

function drawSide(state, board, side) {
  const part = parts.get(side);
  const points = words.shown(state, state.score, side);
  write(part.name, words.name(state, side));
  write(part.score, String(points));
  write(part.said, words.spoken(state, side));
  drawMarks(part, state, board, side);
  part.box.classList.toggle("owes", owes(state, board).includes(side));
  part.box.classList.toggle("winner", state.winner === side);
  part.box.classList.toggle("gallo", state.gallo === side);
  if (part.points !== null && part.points !== points) blink(part.box);
}

function blink(element) {
  element.classList.remove("changed");
  void element.offsetWidth; // begins the animation again
  element.classList.add("changed");
}

function drawMarks(part, state, board, side) {
  const marks = [];
  const wanted = state.best_of > 1 ? Math.floor(state.best_of / 2) + 1 : 0;
  if (wanted) {
    const won = state.games[side];
    const pips = make("span", "pips", "●".repeat(Math.min(won, wanted)) + "○".repeat(Math.max(0, wanted - won)));
    pips.setAttribute("role", "img");
    pips.setAttribute("aria-label", words.say("game.series", { score: won }));
    marks.push(pips);
  }
  if (state.gallo === side) marks.push(make("span", "badge", words.say("side.gallo")));
  if (state.winner === side) marks.push(make("span", "pips", "★"));
  const mano = nextHand(state, board) ? board.next.mano : state.mano;
  if (mano === side && !state.winner) marks.push(make("span", "badge mano", words.say("web.mano")));
  const key = marks.map((each) => each.textContent).join("|");
  if (part.marks.dataset.key === key) return;
  part.marks.dataset.key = key;
  put(part.marks, ...marks);
}

// Last of all, for what stands around the matches says how large they may be.
function drawTally(state, side) {
  const part = parts.get(side);
  const points = words.shown(state, state.score, side);
  const box = { width: part.tally.clientWidth, height: part.tally.clientHeight };
  const total = state.pot === null ? state.target : Math.max(state.target, ...state.sides.map((each) => state.score[each]));
  const key = [points, total, state.half, box.width, box.height, page.lang].join();
  if (part.laid === key || !box.width || !box.height) return;
  part.laid = key;
  const labels = [words.say("web.malas"), words.say("web.buenas")];
  const before = part.points === null ? points : Math.min(part.points, points);
  put(part.tally, tally(points, { total, half: state.half, before, box, labels }));
  part.points = points;
}

// Whom the table waits for: scorers, a pair told as its two.
function owes(state, board) {
  const call = board && board.call;
  const who = call ? call.owes : [];
  return state.sides.filter(
    (side) =>
      who.includes(side) || (who.includes("gallo") && side === state.gallo) || (who.includes("pair") && side !== state.gallo),
  );
}

function nextHand(state, board) {
  return state.phase === "hand_over" && board && board.next;
}

// What the page calls each mode: where a call or its outcome stands, it takes more room.
const KINDS = { play: "play", call: "tall call", wait: "tall wait", over: "tall over", end: "end" };

function mode(state) {
  if (OVER.includes(state.phase)) return "end";
  if (state.phase === "hand_over") return "over";
  if (WAITING.includes(state.phase)) return "wait";
  return state.phase === "playing" ? "play" : "call";
}

function drawBet(state, board) {
  const draw = { play: inPlay, call: called, wait: waiting, over: handOver, end: gameOver }[mode(state)];
  put(at("bet"), ...draw(state, board || words.bare(state)));
}

function inPlay(state, board) {
  if (board.special) {
    return [fitted("p", "banner", words.special(board.special)), line(words.rest(board.special) || words.stake(state.stake))];
  }
  const row = make("div", "stake-row", fitted("p", "stake", words.stake(state.stake)), ladder(board));
  // What was just paid counts more than how things stand.
  const paid = board.gains[board.gains.length - 1];
  return [row, paid ? gained(state, paid) : stateLine(state, board)];
}

function stateLine(state, board) {
  const raiser = state.may_raise.length === 1 && !state.pending ? words.say("web.raise", { side: words.name(state, state.may_raise[0]) }) : "";
  const waits = board.call && board.call.suspended ? words.say("pending.waits", { word: board.call.suspended }) : "";
  return line(words.state(state, board), raiser, waits);
}

function line(...told) {
  const text = told.filter(Boolean).join(" · ");
  return text && fitted("p", "line", text);
}

function ladder(board) {
  const rungs = board.ladder.filter((rung) => rung.word).map((rung) => {
    const made = make("li", `rung ${rung.state}`, make("b", "", words.points(rung.value)), make("span", "", rung.word));
    if (rung.state === "current") made.setAttribute("aria-current", "true");
    return made;
  });
  return make("ol", "ladder", ...rungs);
}

function called(state, board) {
  const call = board.call;
  if (!call) return inPlay(state, board);
  const side = (who) => words.name(state, who);
  if (call.family === "mao") return decision(state, board.special, call);
  const who = call.family === "singing" ? words.say("singing.ask", { side: side(call.owes[0]) }) : "";
  const owed = call.owes.length ? words.say("pending.owes", { side: call.owes.map(side).join(", ") }) : "";
  const waits = call.suspended ? words.say("pending.waits", { word: call.suspended }) : "";
  const from = `shout from-${place(state, call.by)} by-${words.order(state).indexOf(call.by)}`;
  return [
    make("div", from, fitted("p", "by", side(call.by)), make("i", "arrow"), fitted("p", "word", words.shout(call))),
    answers(state, call),
    line(who || owed, waits),
  ];
}

function decision(state, special, call) {
  const number = special ? words.number(special.number) : "";
  return [
    make(
      "div",
      "shout",
      fitted("p", "by", words.say("mao.ask", { side: words.name(state, call.owes[0]) })),
      fitted("p", "word", words.say("state.mao", { number })),
    ),
    answers(state, call),
    line(words.say("state.mano", { side: words.name(state, state.mano) })),
  ];
}

// Which column a side stands in, for the arrow that comes from whoever called.
function place(state, side) {
  const order = words.order(state);
  const found = order.indexOf(side === "gallo" ? state.gallo : side);
  return found < 0 || order.length > 2 ? "none" : found;
}

function answers(state, call) {
  return make("div", "answers", answer(state, call.quiero, "yes"), answer(state, call.no_quiero, "no"));
}

function answer(state, worth, kind) {
  const pays = words.pays(state, worth.points);
  return make(
    "div",
    `answer ${kind}`,
    fitted("p", "choice", worth.word),
    pays && fitted("p", "pays", pays),
    make("p", "leads", ...leads(state, worth)),
  );
}

// What an answer leads to: the score, or either of two where it depends on who wins the bet.
function leads(state, worth) {
  if (worth.to && worth.wins) return [words.say("pending.wins", { side: words.name(state, worth.to) })];
  if (worth.score) return [words.versus(state, worth.score)];
  const either = worth.scores
    ? words.order(state).map((side, index) => make("span", `if if-${index}`, words.versus(state, worth.scores[side])))
    : [];
  if (worth.wins) either.push(make("strong", "", words.say("pending.may_end")));
  return either;
}

function waiting(state, board) {
  const call = board.call;
  if (!call) return [fitted("p", "banner", words.say("winner.who")), stateLine(state, board)];
  const asks = make(
    "div",
    "shout",
    fitted("p", "by", words.say("winner.who")),
    fitted("p", "word", words.say("winner.ask", { word: call.word })),
  );
  const pays = make(
    "div",
    "answer open",
    fitted("p", "choice", words.say("winner.pays", { points: words.pays(state, call.quiero.points) })),
    make("p", "leads", ...leads(state, call.quiero)),
  );
  return [asks, make("div", "answers", pays), stateLine(state, board)];
}

function gained(state, gain) {
  const amount = fitted("p", "gain", `${words.signed(gain.points)} ${words.name(state, gain.to)}`);
  return make("div", "gained", amount, fitted("p", "why", words.why(gain.why, gain.word)));
}

// What was won, each reason once; and the hand that comes.
function handOver(state, board) {
  const gains = together(state, board.gains);
  const won = gains.length ? gains.map((gain) => gained(state, gain)) : [fitted("p", "banner", words.say("why.none"))];
  const made = [make("div", `gains gains-${Math.min(3, won.length)}`, ...won)];
  if (board.next && board.next.call) made.push(answers(state, board.next.call));
  if (board.next) made.push(fitted("p", board.next.special ? "line loud" : "line", words.next(state, board.next)));
  return made;
}

// What both of a pair were paid for the same thing is told once, of the pair.
function together(state, gains) {
  const made = [];
  gains.forEach((gain) => {
    const before = made[made.length - 1];
    const same = state.gallo && before && before.to !== gain.to && before.why === gain.why && before.points === gain.points;
    if (same && gain.to !== state.gallo && before.to !== state.gallo) before.to = "pair";
    else made.push(Object.assign({}, gain));
  });
  return made.slice(-3);
}

function gameOver(state, board) {
  const series = state.best_of > 1;
  const games = words.order(state).map((side) => state.games[side]);
  const score = games.length === 2 ? words.say("score.to", { mine: games[0], theirs: games[1] }) : games.join(" · ");
  const told = [
    state.phase === "match_over" && series ? words.say("match.over") : "",
    words.byHowMuch(state),
    series ? words.say("game.series", { score }) : "",
  ];
  return [fitted("p", "banner", words.won(state)), line(...told)];
}

function drawTop(state, board) {
  const title = board ? `${board.title} · ` : "";
  write(at("kind"), `${title}${words.say("page.target", { points: state.target })}`);
  const kind = state.hand_kind === "normal" ? "" : `${words.say(`web.kind.${state.hand_kind}`)} · `;
  write(at("hand"), kind + words.say("state.hand", { number: state.hand }));
}

function drawRecent(state, entries) {
  const made = (entries || []).map((entry) => {
    const told = words.entry(state, entry);
    const index = words.order(state).indexOf(entry.side);
    const row = make(
      "li",
      `entry by-${index}${entry.undone ? " undone" : ""}`,
      entry.time ? make("time", "", entry.time) : "",
      make("b", "who", entry.side ? words.name(state, entry.side) : ""),
      make("span", "what", [told.gain, told.what].filter(Boolean).join(" ")),
      make("span", "then", told.score),
    );
    if (entry.undone) row.append(make("span", "unseen", words.say("web.undone")));
    return row;
  });
  put(at("recent"), ...(made.length ? made : [make("li", "entry none", words.say("page.history.none"))]));
}

function lookBack(state) {
  const over = OVER.includes(state.phase);
  at("after").hidden = !over;
  // In this order: the ranking leaves the chart as much room as there is.
  drawNight(state, report.night, over);
  drawChart(state, over ? report.hands || [] : []);
}

function drawChart(state, all) {
  const sides = words.order(state);
  const known = all.filter((each) => sides.every((side) => side in each.score));
  const hands = known.map(({ hand, score }) => {
    const shown = {};
    sides.forEach((side) => (shown[side] = words.shown(state, score, side)));
    return { hand, score: shown };
  });
  put(at("chart"));
  if (hands.length < 2) return;
  const keys = sides.map((side, index) => make("li", `side-${index}`, words.name(state, side)));
  const place = make("div", "steps-box");
  put(at("chart"), make("figcaption", "", words.say("web.chart"), make("ol", "keys", ...keys)), place);
  const title = words.say("web.chart.alt", { score: hands.map((each) => words.versus(state, each.score)).join(", ") });
  const box = { width: place.clientWidth, height: place.clientHeight };
  place.append(chart(hands, { sides, target: state.target, half: state.half, title, box }));
}

function drawNight(state, night, over) {
  const rows = ((night && night.rows) || []).filter((each) => each.played);
  const name = (each) => each.name || words.unnamed(state, each.key);
  const best = rows.filter((each) => each.won).slice(0, 2).map((each) => `${name(each)} ${each.won}`);
  write(at("tonight"), best.length ? `${words.say("web.night")}: ${best.join(" · ")}` : "");
  put(at("night"), ...(over && rows.length ? ranking(night, rows, name) : []));
}

function ranking(night, rows, name) {
  const lines = rows.slice(0, 5).map((each) =>
    make(
      "li",
      "",
      make("b", "", String(each.won)),
      make("span", "who", name(each)),
      make("span", "much", words.say("web.night.player", { won: each.won, played: each.played })),
      each.streak > 1 ? make("span", "streak", words.say("page.night.streak", { games: each.streak })) : "",
    ),
  );
  const games = words.say(night.games === 1 ? "page.night.one" : "page.night", { games: night.games });
  const longest = night.longest ? words.say("page.night.longest", { minutes: night.longest }) : "";
  const sum = make("p", "sum", [games, longest].filter(Boolean).join(" · "));
  return [make("h2", "", words.say("web.night")), make("ol", "", ...lines), sum];
}

function draw() {
  if (!report || !words) return;
  const { state, board } = report;
  if (!state) {
    page.dataset.ready = "no";
    return;
  }
  at("board").className = `board ${KINDS[mode(state)]}${state.sides.length > 2 ? " three" : ""}`;
  drawTop(state, board);
  drawSides(state, board);
  drawBet(state, board);
  drawRecent(state, report.recent);
  lookBack(state);
  fitAll();
  state.sides.forEach((side) => drawTally(state, side));
  tell(words.sentence(report));
  document.title = words.say("web.title", { score: words.versus(state, state.score) });
  page.dataset.ready = "yes";
  page.dataset.shown = report.id;
}

// Listeners hear one sentence a moment after the last change, not one for each of a burst.
function tell(sentence) {
  if (sentence === told) return;
  clearTimeout(telling);
  telling = setTimeout(() => {
    told = sentence;
    at("live").textContent = sentence;
  }, 600);
}

function aged(why, seconds) {
  // Whatever is known before there are words for it is said as soon as there are.
  age = [why, seconds];
  if (!words) return;
  const known = Boolean(report && report.state);
  page.dataset.stale = why && parts.size ? "yes" : "no";
  at("stale").hidden = known && !why;
  const told = known || why === "trouble" ? why : "connecting";
  const ago = known && why !== "trouble" ? words.ago(seconds) : "";
  if (told) write(at("stale"), [words.say(`web.${told}`), ago].filter(Boolean).join(" · "));
}

// A telephone follows its own setting; a television says "light" whatever the room is like.
function dress() {
  const light = window.matchMedia("(prefers-color-scheme: light)").matches && window.innerWidth < 700;
  const theme = asked.get("theme") || page.dataset.theme;
  page.dataset.look = ["dark", "light", "night"].includes(theme) ? theme : light ? "light" : "dark";
}

// What stands still for years burns into a screen: everything moves a little, now and then.
function wander() {
  const step = Math.floor(Date.now() / 60000);
  page.style.setProperty("--dx", `${(step % 5) - 2}px`);
  page.style.setProperty("--dy", `${(Math.floor(step / 5) % 5) - 2}px`);
}

dress();
wander();
setInterval(wander, 60000);
const speak = speaker(asked, (spoken) => {
  words = spoken;
  draw();
  aged(...age);
});
window.addEventListener("resize", () => {
  dress();
  draw();
});
follow((next) => {
  report = next;
  speak(next.language);
  draw();
}, aged);
