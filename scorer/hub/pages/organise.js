// A tournament at the desk: the list of teams, the draw, phases, calls, results on paper and their
// corrections. Every decision carries the newest one that the page shows.

import { matchText, placeText, scoresOf, sideText, whyTexts } from "./tournament.js";
import { element, fetchWords } from "./words.js";

const PACE = 2000; // milliseconds between two looks
const READS = new Set(["t.check", "t.consequences", "t.why"]);
const MINUTES = [5, 10, 20]; // from agreement to publication
const say = await fetchWords("/desk/words");
const byId = (id) => document.getElementById(id);
const small = (...texts) => element("small", "", texts.filter(Boolean).join(" · "));
let state = null;
// What lists were drawn from, by entry; empty to draw all of them again.
let drawn = new Map();

function show(problem) {
  byId("problem").textContent = problem;
  byId("problem").hidden = !problem;
}

// The answer of an action, or null; the reason of a refusal is shown.
async function act(what, fields = {}) {
  const answer = await fetch("/desk/act", {
    method: "POST",
    headers: { "Content-Type": "application/json", "X-Truco": "1" },
    body: JSON.stringify({ do: what, ...fields }),
  });
  const found = await answer.json();
  show(answer.ok ? "" : say(`hub.error.${answer.status === 403 ? "role" : found.key}`) || found.error);
  // After a refusal, what was typed is kept.
  if (answer.ok && !READS.has(what)) drawn = new Map();
  await look();
  return answer.ok ? found : null;
}

const decide = (event) => act("t.event", { event, seen: state.tournament.seq });

function button(name, text, onClick, className = "") {
  const made = element("button", className, text);
  made.type = "button";
  made.dataset.name = name;
  made.addEventListener("click", onClick);
  return made;
}

function field(type, name, label, value = "") {
  const made = element("input", "", "");
  made.type = type;
  made.value = value;
  made.dataset.name = name;
  if (type === "number") [made.min, made.max] = ["0", "999"];
  else made.maxLength = 200;
  return [made, element("label", "", "", element("span", "", label), made)];
}

// ---- a new tournament

async function check() {
  const language = document.documentElement.lang;
  const fields = { format: byId("format").value, teams: byId("teams").value, language };
  const found = await act("t.check", fields);
  if (!found) return;
  const sum = say("hub.o.sum", { n: found.teams, m: found.matches });
  const lines = found.matches ? [...found.lines, sum] : found.lines;
  byId("report").replaceChildren(...lines.map((each) => element("p", "", each)));
}

async function create(event) {
  event.preventDefault();
  const replaces = state.tournament ? state.tournament.id : 0;
  const fields = { format: byId("format").value, teams: byId("teams").value, replaces };
  if (await act("t.begin", fields)) byId("now-title").focus();
  else await check();
}

// ---- what can be done now

function steps(tournament) {
  const made = [];
  if (!tournament.is_drawn) {
    const [seed, label] = field("text", "seed", say("hub.o.number"));
    made.push(label, button("draw", say("hub.o.draw"), () => decide({ do: "Draw", seed: seed.value })));
  }
  for (const phase of tournament.phases) {
    const event = { start: "StartPhase", pair: "PairRound" }[phase.todo];
    const text = event && say(`hub.o.${phase.todo}`, { phase: phase.title });
    if (event) made.push(button(phase.todo, text, () => decide({ do: event, phase: phase.id })));
  }
  const on = !tournament.calls_by_itself;
  if (tournament.is_drawn)
    made.push(
      button("auto", say(on ? "hub.o.auto_on" : "hub.o.auto_off"), () => act("t.by_itself", { on }), "quiet"),
      publishing(tournament.publish_after)
    );
  return made;
}

// When agreed results are published: minutes after the agreement, or null: with their round.
function publishing(after) {
  const select = element("select", "", "");
  select.dataset.name = "publish";
  const choices = [[0, say("hub.o.publish.now")], [null, say("hub.o.publish.round")]];
  const minutes = new Set([...MINUTES, ...(after ? [after] : [])]);
  for (const n of minutes) choices.push([n, say("hub.o.publish.minutes", { n })]);
  select.replaceChildren(...choices.map(([value, text]) => new Option(text, value, false, value === after)));
  select.addEventListener("change", () => act("t.publish_after", { minutes: choices[select.selectedIndex][0] }));
  return element("label", "", "", element("span", "", say("hub.o.publish")), select);
}

// ---- matches

const sides = (match) => match.sides.map((side) => sideText(say, side)).join(" – ");

function matchEntry(match, ...controls) {
  const text = element("p", "", sides(match));
  text.append(small(matchText(say, match), placeText(say, match), scoresOf(match).filter(Boolean).join(" – ")));
  // Of a match that is at no table, the state says all.
  if (match.marks.table) text.append(small(marksText(match.marks)));
  return element("div", "entry", "", text, ...controls, whyDetails(match));
}

const marksText = (marks) =>
  ["table", "hub", "published"].map((name) => `${say(`hub.o.mark.${name}`)} ${marks[name] ? "✓" : "–"}`).join(" · ");

// "Why this opponent?", asked when it is opened.
function whyDetails(match) {
  const summary = element("summary", "", say("hub.why"));
  summary.setAttribute("aria-label", `${summary.textContent} ${sides(match)}`);
  const details = element("details", "why", "", summary);
  details.addEventListener("toggle", async () => {
    if (!details.open || details.children.length > 1) return;
    const found = await act("t.why", { match: match.id });
    if (found) details.append(...whyTexts(say, found.why).map((text) => element("p", "", text)));
  });
  return details;
}

function tableButtons(match, word) {
  const numbers = new Map(state.boxes.map((box) => [box.device, box.table]));
  return state.tournament.free
    .filter((device) => numbers.has(device))
    .slice(0, 4)
    .map((device) => {
      const text = say(word, { n: numbers.get(device) });
      return button(`call${device}`, text, () => act("t.call", { match: match.id, device }), "quiet");
    });
}

// A result on paper, a walk-over, or another result with its reason.
function resultForm(match) {
  const official = match.result;
  const inputs = ["o.games", "o.points"].flatMap((word, kind) =>
    match.sides.map((side, at) => {
      const value = official ? (kind ? official.points : official.games)[at] : "";
      return field("number", `${word}${at}`, `${say(`hub.${word}`)}: ${sideText(say, side)}`, value);
    })
  );
  const [reason, reasonLabel] = field("text", "reason", say("hub.o.reason"));
  const numbers = () => inputs.map(([input]) => Number(input.value));
  const save = (result) => (official ? correct(match, result, reason.value) : record(match, result));
  const played = () => {
    const [won, lost, points, others] = numbers();
    const winner = won === lost ? null : won > lost ? 0 : 1;
    return save({ winner, games: [won, lost], points: [points, others], ending: "played" });
  };
  const walkovers = match.sides.map((side, at) =>
    button(`wo${at}`, say("hub.o.walkover", { name: sideText(say, side) }), () => walkover(match, at), "quiet")
  );
  const summary = element("summary", "", say(official ? "hub.o.correct" : "hub.o.result"));
  summary.dataset.name = "result";
  summary.setAttribute("aria-label", `${summary.textContent}: ${sides(match)}`);
  const annul = () => correct(match, null, reason.value);
  const fields = [
    ...inputs.map(([, label]) => label),
    ...(official ? [reasonLabel] : []),
    button("save", say("hub.save"), played),
    ...(official ? [button("annul", say("hub.o.annul"), annul, "quiet")] : walkovers),
  ];
  return element("details", "", "", summary, element("div", "fields", "", ...fields));
}

const record = (match, result) => decide({ do: "RecordResult", match: match.id, result });

function walkover(match, winner) {
  const pair = (value) => (winner ? [0, value] : [value, 0]);
  const { games, points } = match.walkover;
  record(match, { winner, games: pair(games), points: pair(points), ending: "walkover" });
}

// The page lists what follows before it asks.
async function correct(match, result, reason) {
  const found = await act("t.consequences", { match: match.id, result });
  if (!found) return;
  const { seq: seen } = state.tournament;
  const { blocking, exchanges, standings, pairings, entrants } = found.consequences;
  const listed = [
    ...blocking.map((each) => say("hub.o.blocking", { match: `${sides(each)}, ${matchText(say, each)}` })),
    ...exchanges.map((each) => `${matchText(say, each)}: ${each.before.join(" – ")} → ${each.after.join(" – ")}`),
    ...standings.map((each) => say("hub.o.standings", { phase: each.phase, zone: each.zone || "" })),
    ...pairings.map((round) => say("hub.o.pairings", { n: round })),
    ...entrants.map((each) => `${each.phase}: ${each.leaving.join(", ")} → ${each.entering.join(", ")}`),
  ];
  const text = listed.length ? listed.join("\n") : say("hub.o.nothing");
  if (!confirm(`${say("hub.o.sure")}\n\n${text}`)) return;
  const begun = entrants.filter((each) => each.can_take_back);
  const takes_back = begun.filter((each) => confirm(say("hub.o.begun", each))).map(({ id }) => id);
  const annuls = blocking.map(({ id }) => id);
  await act("t.correct", { match: match.id, result, reason, seen, annuls, takes_back });
}

function atTable({ match, is_late }) {
  const takeBack = () => act("t.take_back", { match: match.id });
  const publish = () => act("t.publish", { match: match.id });
  const controls = [
    ...(match.state === "agreed" ? [button("publish", say("hub.o.publish_match"), publish)] : []),
    button("back", say("hub.o.take_back"), takeBack, "quiet"),
    ...tableButtons(match, "hub.o.move"),
  ];
  const late = is_late ? [element("p", "late", say("hub.o.late"))] : [];
  const made = matchEntry(match, ...late, element("div", "buttons", "", ...controls), resultForm(match));
  if (is_late || match.state === "contested") made.classList.add("alarm");
  return made;
}

function teamEntry(team) {
  const people = [...team.players, ...team.reserves].join(", ");
  const text = element("p", team.is_withdrawn ? "gone" : "", team.name);
  text.append(small(people, team.club, team.is_missing && say("hub.o.is_missing")));
  const mark = team.is_missing ? "MarkPresent" : "MarkMissing";
  const markWord = say(team.is_missing ? "hub.o.mark_present" : "hub.o.mark_missing");
  const presence = button("presence", markWord, () => decide({ do: mark, team: team.id }), "quiet");
  presence.setAttribute("aria-label", `${markWord}: ${team.name}`);
  const [reason, label] = field("text", "reason", say("hub.o.reason"));
  const withdraw = team.is_withdrawn
    ? () => decide({ do: "Return", team: team.id })
    : () => decide({ do: "Withdraw", team: team.id, reason: reason.value });
  const word = say(team.is_withdrawn ? "hub.o.return" : "hub.o.withdraw");
  const summary = element("summary", "", word);
  summary.setAttribute("aria-label", `${word}: ${team.name}`);
  const fields = [...(team.is_withdrawn ? [] : [label]), button("withdraw", word, withdraw, "quiet")];
  const details = element("details", "", "", summary, element("div", "fields", "", ...fields));
  return element("div", "entry", "", text, ...(team.is_withdrawn ? [] : [presence]), details);
}

// ---- televisions

const VIEWS = [
  ["all", "hub.o.show.all"],
  ["where", "hub.where"],
  ["standings", "hub.standings"],
  ["bracket", "hub.bracket"],
  ["scores", "hub.scores"],
];

function options(id, values) {
  const kept = byId(id).value;
  const made = values.map(([value, text]) => Object.assign(element("option", "", text), { value }));
  byId(id).replaceChildren(...made);
  if (values.some(([value]) => value === kept)) byId(id).value = kept;
}

async function choose(event) {
  event.preventDefault();
  const [screen, show, phase] = ["code", "show", "phase"].map((id) => byId(id).value.trim());
  if (await act("t.screen", { screen: screen.toUpperCase(), show, phase })) byId("code").value = "";
}

function screenEntry([screen, { show, phase }]) {
  const title = state.tournament.phases.find((each) => each.id === phase);
  const text = element("p", "", say("hub.screen", { code: screen }));
  text.append(small(say(VIEWS.find(([id]) => id === show)[1]), title && title.title));
  return element("div", "entry", "", text);
}

function drawScreens({ phases, screens }) {
  const text = JSON.stringify([phases.map(({ id, title }) => [id, title]), screens]);
  if (drawn.get("screens") === text) return;
  drawn.set("screens", text);
  options("show", VIEWS.map(([id, key]) => [id, say(key)]));
  options("phase", [["", say("hub.o.phase.all")], ...phases.map(({ id, title }) => [id, title])]);
  byId("screens").replaceChildren(...Object.entries(screens).map(screenEntry));
}

// ---- drawing

const keyOf = (item) => String((item.match || item).id);

// Draws the entries that have changed; one with an open form is kept, only its text is replaced.
function list(id, items, entry) {
  const { free } = state.tournament;
  const boxes = state.boxes.map((box) => [box.device, box.table]);
  const place = byId(id);
  const known = new Map([...place.children].map((each) => [each.dataset.key, each]));
  const made = items.map((item) => {
    const key = keyOf(item);
    const text = JSON.stringify([item, free, boxes]);
    const old = known.get(key);
    const last = drawn.get(`${id} ${key}`);
    if (old && last === text) return old;
    const fresh = entry(item);
    fresh.dataset.key = key;
    const isKept = old && last !== undefined && old.querySelector("details[open]");
    if (isKept) old.firstElementChild.replaceWith(fresh.firstElementChild);
    // Closed, a kept one is drawn again.
    drawn.set(`${id} ${key}`, isKept ? "" : text);
    return isKept ? old : fresh;
  });
  for (const each of known.values()) if (!made.includes(each)) each.remove();
  // An entry that stays where it is keeps the focus.
  made.forEach((each, at) => place.children[at] === each || place.insertBefore(each, place.children[at] || null));
  place.parentElement.hidden = !items.length;
}

// A control that was drawn again keeps the focus; if it is gone, its entry or its list has it.
function keepFocus(redraw) {
  const before = document.activeElement;
  const { name } = before.dataset;
  const key = before.closest("[data-key]")?.dataset.key;
  const title = before.closest("section")?.querySelector("h2");
  redraw();
  if (before.isConnected || before === document.body) return;
  const again = [...document.querySelectorAll(`[data-name="${name}"]`)].find(
    (each) => each.closest("[data-key]")?.dataset.key === key && each.checkVisibility()
  );
  const entry = key && document.querySelector(`[data-key="${CSS.escape(key)}"] summary`);
  const target = again || entry || (title?.checkVisibility() ? title : byId("now-title"));
  if (target === title) title.tabIndex = -1;
  target.focus();
}

function draw() {
  const { tournament } = state;
  byId("title").textContent = `${state.hall} · ${tournament ? tournament.title : say("hub.organise")}`;
  document.title = byId("title").textContent;
  const isOver = tournament && tournament.phases.every((phase) => phase.is_over);
  byId("begin").hidden = Boolean(tournament) && !isOver;
  byId("now").hidden = !tournament;
  byId("screen").parentElement.hidden = !tournament;
  if (!tournament) return;
  const { is_drawn, calls_by_itself, publish_after, phases } = tournament;
  const text = JSON.stringify([is_drawn, calls_by_itself, publish_after, phases.map((each) => each.todo)]);
  if (drawn.get("steps") !== text) byId("steps").replaceChildren(...steps(tournament));
  drawn.set("steps", text);
  byId("champion").textContent = tournament.champion && `${say("hub.champion")}: ${tournament.champion}`;
  list("tables", tournament.tables.filter(({ match }) => !match.result), atTable);
  list("queue", tournament.queue, (match) =>
    matchEntry(match, element("div", "buttons", "", ...tableButtons(match, "hub.o.call")), resultForm(match))
  );
  const missing = new Set(tournament.teams.flatMap((team) => (team.is_missing ? [team.id] : [])));
  list("missing", tournament.missing, (match) => {
    const names = match.sides.filter((side) => missing.has(side.team)).map((side) => sideText(say, side));
    const lacking = small(`${say("hub.o.is_missing")}: ${names.join(", ")}`);
    return matchEntry(match, lacking, resultForm(match));
  });
  list("official", tournament.official, (match) => matchEntry(match, resultForm(match)));
  list("entered", tournament.teams, teamEntry);
  drawScreens(tournament);
}

async function look() {
  try {
    const answer = await fetch("/desk/state", { cache: "no-store" });
    if (answer.status === 401) location.replace(`/desk${location.search}`);
    if (!answer.ok) return;
    state = await answer.json();
  } catch {
    show(say("hub.offline"));
    return;
  }
  if (byId("problem").textContent === say("hub.offline")) show("");
  keepFocus(draw);
}

byId("back").textContent = say("hub.desk");
for (const each of ["now", "tables", "queue", "missing", "official", "entered", "screens"])
  byId(`${each}-title`).textContent = say(`hub.o.${each}`);
for (const each of ["format", "teams"]) byId(`${each}-label`).textContent = say(`hub.o.${each}`);
byId("check").textContent = say("hub.o.check");
byId("create").textContent = say("hub.o.begin");
byId("code-label").textContent = say("hub.o.screen");
for (const each of ["show", "phase"]) byId(`${each}-label`).textContent = say(`hub.o.${each}`);
byId("choose").textContent = say("hub.save");
byId("screen").addEventListener("submit", choose);
byId("check").addEventListener("click", check);
byId("begin").addEventListener("submit", create);
await look();
const formats = state ? state.formats : [];
byId("format").replaceChildren(
  ...formats.map(({ id, title }) => {
    const made = element("option", "", title);
    made.value = id;
    return made;
  })
);
document.documentElement.dataset.ready = "yes";
setInterval(look, PACE);
