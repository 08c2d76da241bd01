// A strip over a picture: names, score, matches, and the call while it waits. All that may be chosen
// stands in the address: lang, theme, ours=A, bg=transparent or a colour as 00ff00, scale=1.5,
// side=top|bottom, show=score,call,tally.

import { make, put } from "/static/dom.js";
import { tally } from "/static/draw.js";
import { follow } from "/static/stream.js";
import { OVER, speaker } from "/static/words.js";

const asked = new URLSearchParams(location.search);
const at = (id) => document.getElementById(id);
const shows = (asked.get("show") || "score,call,tally").split(",");
let words = null;
let report = null;
let age = ["", 0];

function dress() {
  const page = document.documentElement;
  const scale = Math.min(4, Math.max(0.25, Number(asked.get("scale")) || 1));
  page.style.setProperty("--scale", scale);
  page.dataset.side = asked.get("side") === "top" ? "top" : "bottom";
  const ground = asked.get("bg") || "";
  if (/^[0-9a-f]{3}([0-9a-f]{3})?$/i.test(ground)) page.style.background = `#${ground}`;
}

function bar(state) {
  const order = words.order(state);
  return order.map((side, index) => {
    const points = words.shown(state, state.score, side);
    const made = make("section", `side side-${index}`, make("h2", "name", words.name(state, side)));
    if (shows.includes("score")) made.append(make("p", "score", String(points)));
    if (shows.includes("tally")) made.append(laid(state, points));
    if (state.winner === side) made.classList.add("winner");
    if (state.mano === side && !state.winner) made.classList.add("mano");
    return made;
  });
}

function laid(state, points) {
  const total = state.pot === null ? state.target : Math.max(state.target, points);
  const count = Math.ceil(total / 5);
  const box = { width: 64 * count, height: 64 };
  return make("div", "tally", tally(points, { total, half: null, before: points, box }));
}

// What is going on, in one line; nothing while nothing waits.
function strip(state, board) {
  if (OVER.includes(state.phase)) return [make("strong", "", words.won(state))];
  const call = board && board.call;
  if (call && call.family === "mao") return [make("strong", "", words.say("mao.ask", { side: words.name(state, call.by) })), ...answers(state, call)];
  if (call && !call.no_quiero) return [make("strong", "", words.say("winner.ask", { word: call.word }))];
  if (call) return [make("span", "", words.name(state, call.by)), make("strong", "", words.shout(call)), ...answers(state, call)];
  const rung = board && board.ladder.find((each) => each.state === "current");
  return rung && rung.word ? [make("strong", "", rung.word), make("span", "", words.stake(state.stake))] : [];
}

function answers(state, call) {
  return [call.quiero, call.no_quiero].map((worth, index) => {
    return make("span", index ? "no" : "yes", `${worth.word} `, make("b", "", words.pays(state, worth.points)));
  });
}

function draw() {
  if (!report || !words || !report.state) return;
  const { state, board } = report;
  at("overlay").hidden = false;
  at("bar").dataset.count = state.sides.length;
  put(at("bar"), ...bar(state));
  const said = shows.includes("call") ? strip(state, board) : [];
  at("call").hidden = said.length === 0;
  put(at("call"), ...said);
  at("live").textContent = words.sentence(report);
  document.documentElement.dataset.ready = "yes";
  document.documentElement.dataset.shown = report.id;
}

function aged(why, seconds) {
  age = [why, seconds];
  const stale = why !== "" && words && report && report.state;
  document.documentElement.dataset.stale = stale ? "yes" : "no";
  at("stale").hidden = !stale;
  if (stale) at("stale").textContent = `${words.say(`web.${why}`)} · ${words.ago(seconds)}`;
}

dress();
const speak = speaker(asked, (spoken) => {
  words = spoken;
  draw();
  aged(...age);
});
follow((next) => {
  report = next;
  speak(next.language);
  draw();
}, aged);
