// The desk: alarms with the buttons that resolve them, boxes that join, results read from panels,
// tables. The code of a panel opens this page too, at /Q/.

import { setUpAddresses } from "./addresses.js";
import { button, byId, choice, field, post, show, showStale, small } from "./controls.js";
import { fetchState } from "./desk_state.js";
import { createElement } from "./element.js";
import { drawList, forget, keepFocus } from "./entries.js";
import { answerOf, clearRefusal, refusalText, refuse, timeOf, usedPlace } from "./refusal.js";
import { repeat } from "./repeat.js";
import { request } from "./request.js";
import { BEGINS, inLanguage, isOverTime, sidesText } from "./tournament.js";
import { fetchWords } from "./words.js";

const PACE = 2000; // milliseconds between two looks
const CODE = /^\/Q\/([^/]+)$/;
const MOVABLE = ["offered", "accepted", "playing"]; // states of a match that is not over
const LISTS = {
  alarms: "desk.alarms",
  queue: "desk.queue",
  candidates: "desk.candidates",
  results: "desk.results",
  boxes: "desk.boxes",
  replaced: "desk.replaced",
  people: "desk.people",
  sessions: "desk.sessions",
};
const MOST_WAITING = 12; // matches without a table, besides those that can be called
const TABLE = { min: 1 }; // the least number of a table
const DEFAULT_NAMES = ["side.ours", "side.theirs", "side.third"];

const say = await fetchWords("/desk/words");
let code = (CODE.exec(location.pathname) || [])[1];
let may = []; // the actions of this role; the others have no button
let shown = null; // the state that the page shows

// Sends a message; the reason of a refusal is shown at the control that was used.
async function send(path, message) {
  const place = usedPlace();
  clearRefusal(place);
  const answer = await answerOf(post(path, JSON.stringify(message)));
  const { ok, status, found } = answer;
  if (path === "/desk/login" && status === 403) Object.assign(found, { key: "login", field: "password" });
  if (ok) show("");
  // After a refusal, what was typed is kept.
  if (ok) forget([document.activeElement.closest("[data-key]")].filter(Boolean));
  await look();
  if (!ok) refuse(place, refusalText(say, answer, shown), found.field);
  return ok;
}

const { lang: language } = document.documentElement;
const act = (message) => send("/desk/act", { ...message, seen: shown?.seq, language });

// The open tournaments.
const openOf = (state) => (state?.tournament ? [state.tournament, ...state.others] : []);

// What is said of an entry beside others: its tournament, if there are several.
const titleOf = ({ title }, tournaments) => (tournaments.length > 1 ? title : "");

// An entry of the page of a tournament, which has its controls.
function link(tournament, entry, text) {
  const made = createElement("a", "button", text);
  made.href = `${inLanguage("/desk/tournament")}&t=${tournament}#${encodeURIComponent(entry)}`;
  made.dataset.name = "decide";
  return made;
}

const boxName = (machine) => machine && say("desk.box", { machine: machine.slice(0, 6) });

// Tables whose match may be exchanged for another one, those first that say that it is not theirs.
function exchangeable() {
  if (!shown) return [];
  const boxes = new Map(shown.boxes.map((box) => [box.device, box]));
  const called = new Set(shown.alarms.flatMap(({ kind, device }) => (kind === "call.table" ? [device] : [])));
  const isOpen = ({ device, match }) =>
    !match.result && MOVABLE.includes(match.state) && boxes.has(device) && !boxes.get(device).held;
  const rank = ({ device, match }) => (called.has(device) ? 0 : 1000) + match.table;
  const tables = openOf(shown).flatMap(({ id, tables: own }) => own.map((each) => ({ ...each, tournament: id })));
  return tables.filter(isOpen).sort((one, other) => rank(one) - rank(other));
}

// Whether the match of a box may be exchanged for that of another table.
function canExchange(device) {
  const found = exchangeable();
  return may.includes("t.exchange") && found.length > 1 && found.some((each) => each.device === device);
}

// Another table and the button that exchanges the matches of both.
function exchangeControls(device) {
  const [select, label] = choice("other", say("desk.exchange.with"), []);
  const named = ({ match }) => `${say("hub.table", { n: match.table })}: ${sidesText(match)}`;
  const fill = () => {
    const kept = select.value;
    const others = exchangeable().filter((each) => each.device !== device);
    select.replaceChildren(...others.map((each) => new Option(named(each), each.device)));
    if (others.some((each) => String(each.device) === kept)) select.value = kept;
  };
  fill();
  // Drawn before, it has the matches of now when it is used.
  select.addEventListener("focus", fill);
  const exchange = () => {
    const found = exchangeable();
    const at = (id) => found.find((each) => String(each.device) === String(id));
    const [here, there] = [at(device), at(select.value)];
    if (!here || !there) return refuse(usedPlace(), say("desk.error.t.no_exchange"));
    const [one, other] = [here.match, there.match];
    const fields = { n: one.table, m: other.table, one: sidesText(one), other: sidesText(other) };
    const of = { tournament: here.tournament, other_tournament: there.tournament };
    if (confirm(say("desk.exchange.sure", fields))) act({ do: "t.exchange", match: one.id, other: other.id, ...of });
  };
  return [label, button("exchange", say("desk.exchange"), exchange)];
}

function drawAlarm(alarm) {
  const { kind } = alarm;
  const text = createElement("p", "", say(`desk.alarm.${kind}`, { n: alarm.table }));
  const isOfMatch = kind.startsWith("call") || kind.startsWith("result");
  const named = alarm.match ? [sidesText(alarm.match), alarm.match.title, alarm.match.of].filter(Boolean).join(", ") : alarm.text;
  const match = isOfMatch && alarm.text && say("desk.match", { match: named });
  text.append(small(alarm.when, match, kind === "unreadable" && alarm.text));
  const what = say(`desk.alarm.${kind}.what`);
  if (what && (kind !== "call.table" || alarm.can_exchange)) text.append(small(what));
  const resolve = (how, machine) => act({ do: "resolve", alarm: alarm.id, how, machine });
  const word = { true: "true", replace: "replace" };
  const ignore = kind.startsWith("call") ? "done" : alarm.buttons.length > 1 ? "ignore" : "close";
  const buttons = alarm.buttons.flatMap((how) =>
    (how === "true" ? alarm.machines : [""]).map((machine) => {
      const label = say(`desk.button.${word[how] || ignore}`, { machine: machine.slice(0, 6) });
      const isQuiet = how !== "true" && alarm.buttons.length > 1;
      return button(how + machine, label, () => resolve(how, machine), isQuiet ? "quiet" : "");
    })
  );
  const isToDecide = alarm.match && ["call.contest", "result", "result.undecided"].includes(kind);
  if (isToDecide) {
    const { tournament } = alarm;
    buttons.unshift(...tableResult(tournament, alarm.match), link(tournament, alarm.text, say("desk.task.decide")));
  }
  if (alarm.can_exchange) buttons.unshift(...exchangeControls(alarm.device));
  return createElement("div", "entry alarm", "", text, createElement("div", "buttons", "", ...buttons));
}

// What keeps the hall from being in order, besides alarms: one line of the hub, and what to do.
function drawTrouble({ kind, line, what, detail }) {
  const text = createElement("p", "", line);
  text.append(small(what), ...(detail ? [small(detail)] : []));
  const leave = button("leave", say("desk.button.close"), () => act({ do: "leave_games" }), "quiet");
  const buttons = kind === "games" && may.includes("leave_games") ? [leave] : [];
  return createElement("div", "entry alarm", "", text, ...buttons);
}

// What strangers have tried, counted: refused tries to join, wrong passwords.
function drawCounted({ id, n }) {
  const text = createElement("p", "", say(`desk.alarm.${id}`, { n }));
  text.append(small(say(`desk.alarm.${id}.what`)));
  const close = () => act({ do: "close_counted", what: id });
  const buttons = may.includes("close_counted") ? [button("close", say("desk.button.close"), close)] : [];
  return createElement("div", "entry alarm", "", text, createElement("div", "buttons", "", ...buttons));
}

// What a tournament asks of the director; `of`: its title beside others. A match whose team has
// called is an alarm already.
function tasksOf({ id: tournament, tables, queue, phases, is_drawn, publish_after, unjudged }, of, alarms, boxes) {
  const called = new Set(
    alarms.flatMap((each) => (each.kind === "call.contest" && each.tournament === tournament ? [each.text] : []))
  );
  const ofMatch = ({ match, is_late }) => {
    if (match.state === "contested") return called.has(match.id) ? "" : "contested";
    return is_late ? "late" : match.state === "agreed" && publish_after !== 0 ? "agreed" : "";
  };
  const late = tables.filter(({ match }) => !match.result && isOverTime(match)).map(({ match }) => match.table);
  late.sort((one, other) => one - other);
  const numbers = new Set(boxes.map((box) => box.table));
  const lacksBox = ({ waits_at }) => waits_at.length > 0 && !waits_at.some((each) => numbers.has(each));
  const found = [
    ...queue.filter(lacksBox).map((match) => ({ id: `box ${match.id}`, task: "box", match, late: match.waits_at })),
    ...(late.length ? [{ id: "time", task: "time", late }] : []),
    ...(is_drawn ? [] : [{ id: "draw", task: "draw" }]),
    ...(shown.publishes && unjudged.length ? [{ id: "names", task: "names" }] : []),
    ...tables.flatMap((each) => {
      const task = each.match.result ? "" : ofMatch(each);
      return task ? [{ id: `${task} ${each.match.id}`, task, match: each.match, publish_after }] : [];
    }),
    // A round that is being drawn asks nothing.
    ...phases.flatMap(({ id, title, todo }) =>
      todo && todo !== "drawing" ? [{ id: `${todo} ${id}`, task: todo, phase: id, title }] : []
    ),
  ];
  return found.map((each) => ({ ...each, id: `${tournament} ${each.id}`, tournament, of }));
}

// The controls of a task; none where the role has none.
function taskControls({ tournament, task, match, phase, title }) {
  const event = { start: "StartPhase", pair: "PairRound", playoff: "PairRound" }[task];
  if ((event || task === "draw") && !may.includes("t.begin")) return [];
  if (event) {
    const begin = () => act({ do: "t.event", tournament, event: { do: event, phase } });
    return [button(task, say(BEGINS[task], { phase: title }), begin)];
  }
  if (task === "time") return [];
  if (task === "names") return may.includes("t.consent") ? [link(tournament, "judging", say("desk.task.names.answer"))] : [];
  if (task === "draw") return [link(tournament, "steps", say("desk.o.draw"))];
  if (task !== "agreed") return [...tableResult(tournament, match), link(tournament, match.id, say("desk.task.decide"))];
  const publish = () => act({ do: "t.publish", tournament, match: match.id });
  return [button("publish", say("desk.o.publish_match"), publish)];
}

// The button that makes what the table of a contested match says official.
function tableResult(tournament, { id, state, at_table: at }) {
  if (state !== "contested" || !at?.result || !may.includes("t.event")) return [];
  const event = { do: "RecordResult", match: id, result: at.result };
  const record = () => act({ do: "t.event", tournament, event });
  return [button("at_table", say("desk.o.at_table", { result: at.text }), record)];
}

function drawTask(item) {
  const { task, match, title, publish_after, of, late } = item;
  const fields = { n: match && match.table, phase: title, tables: (late || []).join(", ") };
  const text = createElement("p", "", say(`desk.task.${task}`, fields));
  if (match || of) text.append(small(match && sidesText(match), match && match.title, of));
  const controls = taskControls(item);
  const after = publish_after === null ? "round" : "minutes";
  const what = task === "agreed" ? say(`desk.task.agreed.${after}`, { n: publish_after }) : say(`desk.task.${task}.what`);
  if (what) text.append(small(what));
  if (!controls.length && !late) text.append(small(say("desk.task.director")));
  return createElement("div", "entry alarm", "", text, createElement("div", "buttons", "", ...controls));
}

// When a box was heard last.
function heardText({ silent, minutes }) {
  if (!silent) return say("desk.heard.now");
  return minutes === null ? say("desk.heard.never") : say("desk.heard.minutes", { n: minutes });
}

// The name of the team at a place, or the name of its side.
const teamName = (name, at) => name || say(DEFAULT_NAMES[at]);

// What is in play at the table of a box; "" if nothing is known to be.
function inPlay({ match, game }) {
  if (match) return match.result ? "" : [sidesText(match), match.progress].filter(Boolean).join(" · ");
  if (!game || shown.tournament) return "";
  return game.sides.map(({ name, score }, at) => `${teamName(name, at)} ${score}`).join(" – ");
}

// Gives a table to a box. If another one has it, the director is asked whether that one is to lose it.
function giveTable(message) {
  const n = message.table;
  const other = shown.boxes.find((box) => box.table === n);
  if (!other) return act(message);
  const match = inPlay(other);
  const question = [
    say("desk.occupied", { n, box: boxName(other.machine), heard: heardText(other) }),
    match && say("desk.occupied.match", { match }),
    say("desk.occupied.back"),
    say("desk.occupied.sure", { n }),
  ];
  const isSure = confirm(question.filter(Boolean).join("\n"));
  return isSure && act({ ...message, replaces: other.device });
}

function drawCandidate(candidate) {
  const { card, code: digits, table: own, free } = candidate;
  const text = createElement("p", "", card ? say("desk.card", { n: own }) : say("desk.digits"));
  if (!card) text.append(createElement("span", "code", `${digits.slice(0, 3)} ${digits.slice(3)}`));
  text.append(small(boxName(candidate.machine)));
  if (!may.includes("accept")) {
    text.append(small(say("desk.candidates.admin")));
    return createElement("div", "entry", "", text);
  }
  const [table, label] = field("number", "table", say("desk.number"), card ? own : free, TABLE);
  const { key } = candidate;
  return createElement(
    "div",
    "entry",
    "",
    text,
    label,
    button("accept", say("desk.accept"), () => giveTable({ do: "accept", key, table: Number(table.value) })),
    button("refuse", say("desk.refuse"), () => act({ do: "refuse", key }), "quiet")
  );
}

// The teams with their points; `more`: texts after them.
function scoreLine(names, points, ...more) {
  const line = createElement("span", "score", "");
  names.forEach((name, at) => {
    const score = createElement("b", `side-${at}`, String(points[at]));
    line.append(createElement("span", "", `${teamName(name, at)} `, score));
  });
  line.append(...more.filter(Boolean).map((text) => createElement("span", "more", text)));
  return line;
}

const gamesText = (games, isSeries) =>
  isSeries && say("desk.result.games", { games: games.join("-") });

function gameLine(game) {
  const of = (name) => game.sides.map((side) => side[name]);
  const target = say("hub.target", { n: game.target });
  return scoreLine(of("name"), of("score"), gamesText(of("games"), game.best_of > 1), target);
}

function resultLine({ names, games, points }) {
  const isSeries = Math.max(...games) > 1 || Math.min(...games) > 0;
  return scoreLine(names, points, gamesText(games, isSeries));
}

function drawResult(result) {
  const by = say("desk.result.by", { who: result.who, time: result.when });
  const text = createElement("p", "", say("hub.table", { n: result.table }));
  text.append(
    resultLine(result),
    small(say("desk.match", { match: result.title || result.match }), say(`desk.phase.${result.phase}`)),
    small(by, say(`desk.rows.${result.rows}`))
  );
  return createElement("div", "entry", "", text);
}

function drawWaiting(match) {
  if (match.more) {
    const more = link(match.tournament, "queue-title", say("desk.queue.more", { n: match.more }));
    return createElement("div", "entry", "", more);
  }
  const text = createElement("p", "", sidesText(match));
  const lacks = match.lacks && `${say("desk.o.is_missing")}: ${match.lacks}`;
  text.append(small(match.title, match.of, lacks || match.place));
  const n = match.table_to_call;
  if (!n || !may.includes("t.call")) return createElement("div", "entry", "", text);
  const call = () => act({ do: "t.call", tournament: match.tournament, match: match.id, device: match.device });
  return createElement("div", "entry", "", text, button("call", say("desk.o.call", { n }), call, "quiet"));
}

// The matches of all tournaments that wait for a table, in the order in which they are called, then
// those that wait for a team. Those of the next rounds are on the page of each tournament.
function waiting(tournaments, boxes) {
  const all = tournaments.flatMap((each) => waitingOf(each, titleOf(each, tournaments), boxes));
  const place = ({ queue }) => queue || Number.POSITIVE_INFINITY;
  all.sort((one, other) => (place(one) === place(other) ? 0 : place(one) - place(other)));
  const listed = all.filter((match, at) => at < MOST_WAITING || match.table_to_call);
  const more = all.filter((match) => !listed.includes(match));
  return more.length ? [...listed, { id: "more", more: more.length, tournament: more[0].tournament }] : listed;
}

// Those of one tournament: with the table that each would get, or the team that is missing.
function waitingOf({ id, queue, missing, teams, next, calls_by_itself }, of, boxes) {
  const numbers = new Map(boxes.map((box) => [box.device, box.table]));
  const devices = new Map(calls_by_itself ? [] : next.map(({ match, device }) => [match, device]));
  const called = (match) => {
    const device = devices.get(match.id);
    return { ...match, device, table_to_call: numbers.get(device) };
  };
  const lacking = new Set(teams.flatMap((team) => (team.is_missing ? [team.id] : [])));
  const lacks = ({ sides }) =>
    sides.flatMap((side) => (lacking.has(side.team) ? [side.name] : [])).join(", ");
  const all = [...queue.map(called), ...missing.map((match) => ({ ...match, lacks: lacks(match) }))];
  return all.map((match) => ({ ...match, of, tournament: id }));
}

// A name as both tournaments write it.
const written = ({ text, other_text }) => (text === other_text ? text : `${text} / ${other_text}`);

// Sends an answer about names in two tournaments; null takes the one before back.
const compare = (tournaments, names, same) => () =>
  act({
    do: "t.people",
    tournaments,
    names: names.map(({ name }) => name),
    other_names: names.map(({ other_name }) => other_name),
    is_same_person: same,
  });

// Names in two tournaments: one person, or two. Many that are the same are answered at once.
function drawPeople({ tournaments, titles: [one, other], names, is_alike }) {
  const buttons = (id, asked) => [
    button(`same ${id}`, say("desk.people.same"), compare(tournaments, asked, true)),
    button(`two ${id}`, say("desk.people.two"), compare(tournaments, asked, false), "quiet"),
  ];
  const [{ text: name, other_text: alike }] = names;
  const isOne = names.length === 1;
  const key = isOne ? (name === alike ? "one" : "one_alike") : is_alike ? "many_alike" : "many";
  const text = createElement("p", "", say(`desk.people.${key}`, { one, other, n: names.length, name, alike }));
  text.append(small(say(is_alike ? "desk.people.what_alike" : "desk.people.what")));
  if (isOne) return createElement("div", "entry alarm", "", text, createElement("div", "buttons", "", ...buttons("", names)));
  const all = button("same", say("desk.people.same.all"), compare(tournaments, names, true));
  const summary = createElement("summary", "", say("desk.people.each"));
  summary.dataset.name = "each";
  const listed = names.map((each) => {
    const own = buttons(`${each.name} ${each.other_name}`.trim(), [each]);
    for (const made of own) made.setAttribute("aria-label", `${made.textContent}: ${written(each)}`);
    return createElement("div", "buttons", "", createElement("span", "", written(each)), ...own);
  });
  const details = createElement("details", "", "", summary, ...listed);
  return createElement("div", "entry alarm", "", text, ...(is_alike ? [] : [all]), details);
}

// What was answered about names in two tournaments; each answer can be taken back.
function drawAnswered({ tournaments, titles: [one, other], names }) {
  const text = createElement("p", "", say("desk.people.answered", { one, other, n: names.length }));
  const summary = createElement("summary", "", say("desk.people.each"));
  summary.dataset.name = "answers";
  const listed = names.map((each) => {
    const ask = button(`ask ${each.name} ${each.other_name}`.trim(), say("desk.people.ask"), compare(tournaments, [each], null), "quiet");
    ask.setAttribute("aria-label", `${ask.textContent}: ${written(each)}`);
    const answer = createElement("span", "", written(each), small(say(each.is_same_person ? "desk.people.same" : "desk.people.two")));
    return createElement("div", "buttons", "", answer, ...(may.includes("t.people") ? [ask] : []));
  });
  return createElement("div", "entry", "", text, createElement("details", "why", "", summary, ...listed));
}

// What a role may change of a box; none of it for some.
function boxControls(box) {
  const { device } = box;
  const revoke = () => {
    if (confirm(say("desk.revoke.sure", { n: box.table }))) act({ do: "revoke", device });
  };
  const [table, tableLabel] = field("number", "table", say("desk.number"), box.table, TABLE);
  const [name, nameLabel] = field("text", "label", say("desk.label"), box.name, { maxLength: 40 });
  const exchange = box.can_exchange ? exchangeControls(device) : [];
  return [
    ...exchange.map((control) => ["t.exchange", control]),
    ["name", tableLabel],
    ["name", nameLabel],
    ["name", button("save", say("desk.save"), () => act({ do: "name", device, table: Number(table.value), name: name.value }))],
    ["renew", button("renew", say("desk.renew"), () => act({ do: "renew", device }), "quiet")],
    ["revoke", button("revoke", say("desk.revoke"), revoke, "quiet")],
  ].flatMap(([action, control]) => (may.includes(action) ? [control] : []));
}

function drawBox(box) {
  const number = say("hub.table", { n: box.table });
  const { match } = box;
  const text = createElement("p", "", box.name ? `${number} · ${box.name}` : number);
  if (match) text.append(small(sidesText(match), match.title, box.of, match.progress, match.clock));
  // The last game of a table is shown until the next match is called, also while it is free.
  const game = match?.state === "offered" ? null : box.game;
  text.append(
    small(box.is_free && say("hub.free")),
    ...(game ? [gameLine(game)] : []),
    small(box.silent && say("hub.silent"), box.held && say("desk.held"), boxName(box.machine))
  );
  const isContested = match && match.state === "contested";
  const classes = ["entry", box.silent && "silent", isContested && "alarm"];
  const className = classes.filter(Boolean).join(" ");
  const controls = boxControls(box);
  if (!controls.length) return createElement("div", className, "", text);
  const summary = createElement("summary", "", say("desk.edit"));
  summary.dataset.name = "edit";
  summary.setAttribute("aria-label", `${say("desk.edit")}: ${number}`);
  const fields = createElement("div", "fields", "", ...controls);
  const details = createElement("details", "", "", summary, fields);
  return createElement("div", className, "", text, details);
}

// A box that lost its table to another one, until it has one again or is removed.
function drawReplaced(box) {
  const { device } = box;
  const text = createElement("p", "", boxName(box.machine) || box.name);
  const match = inPlay(box);
  text.append(small(say("desk.replaced.was", { n: box.table }), heardText(box), match));
  const [table, label] = field("number", "table", say("desk.number"), box.table, TABLE);
  const give = () => giveTable({ do: "reinstate", device, table: Number(table.value) });
  const revoke = () => {
    if (confirm(say("desk.revoke.sure", { n: box.table }))) act({ do: "revoke", device });
  };
  const controls = [label, button("reinstate", say("desk.reinstate"), give), button("revoke", say("desk.revoke"), revoke, "quiet")];
  return createElement("div", "entry", "", text, ...(may.includes("reinstate") ? controls : []));
}

// Who is logged in, with the button that ends the session.
function drawSession({ id, name, role, address, when, own }) {
  const text = createElement("p", "", `${name} · ${role}`);
  text.append(small(say("desk.session.from", { address, time: when }), own && say("desk.session.own")));
  if (own) return createElement("div", "entry", "", text);
  const end = () => act({ do: "end_session", session: id });
  return createElement("div", "entry", "", text, button("end", say("desk.session.end", { who: name }), end, "quiet"));
}

// An entry of the first list.
const drawAsked = (item) =>
  (item.line ? drawTrouble : item.n ? drawCounted : item.names ? drawPeople : item.task ? drawTask : drawAlarm)(item);

// How each list is drawn.
const DRAW = {
  alarms: { keyOf: ({ id }) => id, draw: drawAsked, controlsOf: ({ n, ...item }) => item },
  candidates: {
    keyOf: ({ key }) => key,
    draw: drawCandidate,
    controlsOf: ({ key, code: digits, free }) => [key, digits, free],
  },
  queue: { keyOf: ({ id, tournament }) => `${tournament} ${id}`, draw: drawWaiting },
  results: { keyOf: ({ rev }) => rev, draw: drawResult },
  boxes: {
    keyOf: ({ device }) => device,
    draw: drawBox,
    controlsOf: ({ table, name, can_exchange }) => [table, name, can_exchange],
  },
  replaced: { keyOf: ({ device }) => device, draw: drawReplaced, controlsOf: ({ table }) => table },
  people: { keyOf: ({ id }) => id, draw: drawAnswered },
  sessions: { keyOf: ({ id }) => id, draw: drawSession, controlsOf: ({ id, own }) => [id, own] },
};

const update = (id, items, empty) => drawList(byId(id), items, DRAW[id], empty);

function draw(state) {
  shown = state;
  byId("title").textContent = `${state.hall} · ${say("desk.desk")}`;
  document.title = byId("title").textContent;
  // Another role may have logged in: its buttons are others.
  if (may.join() !== state.may.join()) for (const list of Object.keys(LISTS)) byId(list).replaceChildren();
  ({ may } = state);
  const tables = new Set(state.boxes.map((box) => box.table));
  let free = 1;
  while (tables.has(free)) free += 1;
  const candidates = state.candidates.map((each) => ({ ...each, free }));
  const dated = (each) => ({ ...each, when: timeOf(each.at, state) });
  const tournaments = openOf(state);
  const matches = new Map();
  for (const each of tournaments) {
    const of = titleOf(each, tournaments);
    // Without its score, which would draw the alarm anew.
    for (const match of [...each.official, ...each.tables.map((at) => at.match)]) {
      const { id, sides, title, state: at, at_table } = match;
      matches.set(`${each.id} ${id}`, { id, sides, title, of, state: at, at_table });
    }
  }
  const matchOf = (each, id) => matches.get(`${each.tournament} ${id}`);
  const alarms = state.alarms.map((each) => ({
    ...dated(each),
    match: matchOf(each, each.text),
    can_exchange: each.kind === "call.table" && canExchange(each.device),
  }));
  const tasks = tournaments.flatMap((each) => tasksOf(each, titleOf(each, tournaments), state.alarms, state.boxes));
  const keyed = (each) => ({ id: `people ${each.tournaments.join(" ")}${each.is_alike ? " alike" : ""}`, ...each });
  const people = state.people.map(keyed);
  const counted = Object.entries(state.counted).map(([id, n]) => ({ id, n }));
  const troubles = state.troubles.map((each) => ({ ...each, id: `${each.kind} ${each.detail}` }));
  const quiet = say(candidates.length ? "desk.quiet.joining" : "desk.quiet");
  update("alarms", [...troubles, ...counted, ...alarms, ...people, ...tasks], quiet);
  update("queue", waiting(tournaments, state.boxes), say("desk.queue.none"));
  byId("queue").parentElement.hidden = !tournaments.length;
  update("candidates", candidates, say("desk.candidates.none"));
  const titled = (each) => ({ ...dated(each), title: matchOf(each, each.match)?.title });
  update("results", state.results.map(titled), "");
  byId("results").parentElement.hidden = !state.results.length;
  const freeBoxes = tournaments.flatMap(({ free: own }) => own);
  const boxes = state.boxes.map((each) => ({
    ...each,
    can_exchange: canExchange(each.device),
    of: each.match && tournaments.length > 1 ? each.match.tournament_title : "",
    is_free: !each.match && (!each.game || freeBoxes.includes(each.device)),
  }));
  update("boxes", boxes, say("hub.none"));
  update("replaced", state.replaced, "");
  byId("replaced").parentElement.hidden = !state.replaced.length;
  update("people", state.people_answered.map(keyed), "");
  byId("people").parentElement.hidden = !state.people_answered.length;
  update("sessions", state.sessions.map(dated), "");
  byId("sessions").parentElement.hidden = !state.sessions.length;
}

async function look() {
  const { answer, state } = await fetchState("&others=yes");
  showStale(!answer);
  if (!answer) return;
  const hadLogin = !byId("login").hidden;
  byId("login").hidden = answer.status !== 401;
  byId("desk").hidden = !answer.ok;
  byId("logout").hidden = !answer.ok;
  byId("organise").hidden = !answer.ok;
  if (answer.ok) {
    keepFocus(() => draw(state));
    if (hadLogin) byId("title").focus();
    if (code && byId("scan").hidden) await showCode();
  } else {
    byId("scan").hidden = true;
    const { status } = answer;
    if (status !== 401) show(refusalText(say, { status, found: answer.json() }, shown));
  }
}

// The code that has opened this page, until it is accepted or left.
async function showCode() {
  const answer = await request(`/desk/code/${encodeURIComponent(code)}`).catch(() => null);
  if (!answer) return;
  const found = answer.json();
  if (!answer.ok) {
    leaveCode();
    show(refusalText(say, { status: answer.status, found }, shown));
    return;
  }
  byId("scan").hidden = false;
  byId("scan-title").textContent = say(found.known ? "desk.result.known" : "desk.result.ask");
  byId("scan-text").replaceChildren(
    say("hub.table", { n: found.table }),
    resultLine(found),
    small(say("desk.match", { match: found.match }), say(`desk.phase.${found.phase}`))
  );
  const accept = button("accept", say("desk.accept"), async () => {
    if (await act({ do: "scan", code })) leaveCode();
  });
  const leave = button("leave", say("desk.result.leave"), leaveCode, "quiet");
  byId("scan-buttons").className = "buttons";
  byId("scan-buttons").replaceChildren(...(found.known ? [] : [accept]), leave);
  (found.known ? leave : accept).focus();
}

function leaveCode() {
  code = undefined;
  byId("scan").hidden = true;
  history.replaceState(null, "", `/desk${location.search}`);
  byId("title").focus();
}

byId("title").textContent = say("desk.desk");
byId("stale").textContent = say("hub.offline");
for (const [id, key] of Object.entries(LISTS)) byId(`${id}-title`).textContent = say(key);
byId("name-label").textContent = say("desk.name");
byId("password-label").textContent = say("desk.password");
byId("enter").textContent = say("desk.login");
byId("logout").textContent = say("desk.logout");
byId("organise").textContent = say("desk.organise");
byId("logout").addEventListener("click", () => send("/desk/logout", {}));
byId("login").addEventListener("submit", async (event) => {
  event.preventDefault();
  const message = { name: byId("name").value, password: byId("password").value };
  if (await send("/desk/login", message)) byId("password").value = "";
});

setUpAddresses(say);
await look();
if (!byId("login").hidden) byId("name").focus();
document.documentElement.dataset.ready = "yes";
repeat(() => (document.hidden ? Promise.resolve() : look()), PACE);
