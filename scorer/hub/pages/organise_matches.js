// The matches of the tournament page: calls, results on paper, and corrections.

import { button, choice, field, small } from "./controls.js";
import { createElement } from "./element.js";
import { act, decide, desk, may, mayDecide, say } from "./organise_actions.js";
import { refuse, usedPlace } from "./refusal.js";
import { isOverTime, sidesText } from "./tournament.js";

export function matchEntry(match, ...controls) {
  const text = createElement("p", "", sidesText(match));
  text.append(small(match.title, match.place, match.result ? match.outcome : match.score, match.clock));
  // Of a match that is at no table, the state says all.
  if (match.marks.table) text.append(small(marksText(match.marks)));
  if (match.result) text.append(small(decisionText(match)));
  const made = createElement("div", "entry", "", text, ...controls, whyDetails(match));
  made.dataset.about = nameOf(match);
  return made;
}

const nameOf = (match) => `${sidesText(match)}, ${match.title}`;

const marksText = (marks) =>
  ["table", "hub", "published"].map((name) => `${say(`desk.o.mark.${name}`)} ${marks[name] ? "✓" : "–"}`).join(" · ");

// Who entered a result, and why; "" of the hub's own.
function decisionText({ decision, is_decided }) {
  if (!decision?.who) return "";
  const by = is_decided ? say("desk.o.by", decision) : say("desk.o.gone_by", decision);
  return decision.reason ? `${by}: ${decision.reason}` : by;
}

// "Why this opponent?", asked when it is opened.
function whyDetails(match) {
  const summary = createElement("summary", "", say("hub.why"));
  summary.setAttribute("aria-label", `${summary.textContent} ${sidesText(match)}`);
  const details = createElement("details", "why", "", summary);
  details.addEventListener("toggle", async () => {
    if (!details.open || details.children.length > 1) return;
    const found = await act("t.why", { match: match.id });
    if (found) details.append(...found.why.map((text) => createElement("p", "", text)));
  });
  return details;
}

const chosenTables = new Map(); // of matches

// Calls a match to a free table: the longest free one, or another.
export function tableControls(match, word) {
  const numbers = new Map(desk.state.boxes.map((box) => [box.device, box.table]));
  const free = desk.state.tournament.free.filter((each) => numbers.has(each));
  if (!may("t.call") || !free.length) return [];
  const kept = chosenTables.get(match.id);
  let device = free.includes(kept) ? kept : free[0];
  const text = () => say(word, { n: numbers.get(device) });
  const call = button("call", text(), () => act("t.call", { match: match.id, device }), "quiet");
  if (free.length < 2) return [call];
  const sorted = [...free].sort((one, other) => numbers.get(one) - numbers.get(other));
  const values = sorted.map((each) => [each, say("hub.table", { n: numbers.get(each) })]);
  const [select] = choice("table", "", values);
  select.value = device;
  select.setAttribute("aria-label", `${say("hub.table").trim()}: ${sidesText(match)}`);
  select.addEventListener("change", () => {
    device = Number(select.value);
    chosenTables.set(match.id, device);
    call.textContent = text();
  });
  return [select, call];
}

// Who has the better of two numbers; null: they are level.
const leader = ([one, other]) => (one === other ? null : one > other ? 0 : 1);
const pairOf = (winner, value) => (winner ? [0, value] : [value, 0]);

// How a match may have ended: value, ending, text, and the result with the numbers of the form.
function endings(match) {
  const { walkover, has_cap, has_draws, is_series } = match;
  const names = match.sides.map(({ text }) => ({ name: text }));
  // The winner of a single game has won that game.
  const counted = (winner, games) => (is_series || winner === null ? games : pairOf(winner, 1));
  const typed = (winner) => (games, points) => {
    const won = winner(games, points);
    return { winner: won, games: counted(won, games), points };
  };
  const leads = (games, points) => leader(games) ?? leader(points);
  const ahead = (games, points) => ({ winner: leads(games, points), games, points });
  const played = typed((games, points) => (has_draws && is_series ? leader(games) : leads(games, points)));
  const found = [["played", "played", say("desk.o.played"), played]];
  if (has_cap) found.push(["cap", "cap", say("hub.ending.cap"), ahead]);
  names.forEach((each, winner) => {
    const [games, points] = [walkover.games, walkover.points].map((value) => pairOf(winner, value));
    const given = () => ({ winner, games, points });
    found.push([`walkover${winner}`, "walkover", say("desk.o.walkover", each), given]);
  });
  const none = () => ({ winner: null, games: [0, 0], points: [0, 0] });
  found.push(["absent", "walkover", say("desk.o.absent"), none]);
  if (!mayDecide("CorrectResult")) return found;
  names.forEach((each, winner) =>
    found.push([`decided${winner}`, "decided", say("desk.o.decided", each), typed(() => winner)])
  );
  if (has_draws) found.push(["draw", "decided", say("desk.o.decided.draw"), typed(() => null)]);
  return found;
}

// A result on paper, a walk-over, or another result with its reason; none if the role has no right.
export function resultForm(match) {
  const official = match.result;
  if (official && !(match.is_decided && may("t.correct"))) return [];
  // It begins with what is official, or with what the table says. One game is won by its points.
  const known = official || match.at_table;
  const inputs = (match.is_series ? ["games", "points"] : ["points"]).flatMap((kind) =>
    match.sides.map((side, at) => {
      const value = known?.[kind].some(Boolean) ? known[kind][at] : "";
      return field("number", `o.${kind}${at}`, `${say(`desk.o.${kind}`)}: ${side.text}`, value);
    })
  );
  const listed = endings(match);
  const [select, endingLabel] = choice("ending", say("desk.o.ended"), listed.map(([value, , text]) => [value, text]));
  const chosen = () => listed.find(([value]) => value === select.value);
  const [reason, reasonLabel] = field("text", "reason", say("desk.o.reason"));
  const numbers = inputs.map(([, label]) => label);
  // An absence has no numbers.
  const fit = () => numbers.forEach((label) => (label.hidden = chosen()[1] === "walkover"));
  const is = ([, ending, , result]) =>
    official.ending === ending && official.winner === result(official.games, official.points).winner;
  if (official) [select.value] = listed.find(is) || ["played"];
  else if (known) select.value = known.ending;
  select.addEventListener("change", fit);
  fit();
  const save = () => {
    const [, ending, , result] = chosen();
    const empty = missing(match, ending, inputs);
    if (empty) {
      const [input, label] = empty;
      const { textContent } = label.querySelector("span");
      return refuse(usedPlace(), say("desk.o.no_number", { field: textContent }), input.dataset.name);
    }
    const numbersOf = inputs.map(([input]) => Number(input.value));
    const points = numbersOf.splice(-2);
    const found = { ...result(numbersOf.length ? numbersOf : [0, 0], points), ending };
    return official ? correct(match, found, reason.value) : record(match, found, reason.value);
  };
  const summary = createElement("summary", "", say(official ? "desk.o.correct" : "desk.o.result"));
  summary.dataset.name = "result";
  summary.setAttribute("aria-label", `${summary.textContent}: ${sidesText(match)}`);
  const annul = () => correct(match, null, reason.value);
  const fields = [
    endingLabel,
    ...numbers,
    reasonLabel,
    button("save", say("desk.save"), save),
    ...(official ? [button("annul", say("desk.o.annul"), annul, "quiet")] : []),
  ];
  return [createElement("details", "", "", summary, createElement("div", "fields", "", ...fields))];
}

// The field without a number that the result needs, or undefined. The points of a series may be unknown,
// those of both teams.
function missing({ is_series }, ending, inputs) {
  if (ending !== "played" && ending !== "cap") return undefined;
  const isEmpty = ([input]) => input.value === "";
  const points = inputs.slice(-2);
  const needed = is_series && points.every(isEmpty) ? inputs.slice(0, 2) : inputs;
  return needed.find(isEmpty);
}

// What is unusual in a result is asked about.
async function record(match, result, reason) {
  const place = usedPlace();
  const found = await act("t.questions", { match: match.id, result }, place);
  if (!found) return;
  const text = [nameOf(match), ...found.questions, "", say("desk.o.meant")].join("\n");
  if (found.questions.length && !confirm(text)) return;
  await decide({ do: "RecordResult", match: match.id, result, reason }, place);
}

// The page lists what follows before it asks.
async function correct(match, result, reason) {
  const place = usedPlace();
  const found = await act("t.consequences", { match: match.id, result }, place);
  if (!found) return;
  const { seq: seen } = desk.state.tournament;
  const { change, questions, lines, blocking: annuls, begun } = found.consequences;
  const what = [nameOf(match), change, ...questions];
  const follows = lines.length ? lines : [say("desk.o.nothing")];
  if (!confirm([say("desk.o.sure"), "", ...what, "", ...follows].join("\n"))) return;
  const takes_back = begun.filter((each) => confirm(each.text)).map(({ id }) => id);
  await act("t.correct", { match: match.id, result, reason, seen, annuls, takes_back }, place);
}

// The button that makes what the table of a contested match says official.
function tableResult({ id, state, at_table: at }) {
  if (state !== "contested" || !at?.result || !mayDecide("RecordResult")) return [];
  const event = { do: "RecordResult", match: id, result: at.result };
  return [button("at_table", say("desk.o.at_table", { result: at.text }), () => decide(event))];
}

const MINUTES_MORE = 5;

// A match with a limit that is in play may get some minutes more.
function moreTime({ id, table, time, state }) {
  if (!time || time.left === null || !["accepted", "playing"].includes(state) || !may("t.more_time")) return [];
  const fields = { n: MINUTES_MORE, table };
  const add = () => confirm(say("desk.o.more_time.sure", fields)) && act("t.more_time", { match: id, minutes: MINUTES_MORE });
  return [button("more_time", say("desk.o.more_time", fields), add, "quiet")];
}

// A match whose box has left waits at its table, where its teams sit.
export const letGo = ({ id }) =>
  desk.state.tournament.held.includes(id) && may("t.take_back")
    ? [button("back", say("desk.o.let_go"), () => act("t.take_back", { match: id }), "quiet")]
    : [];

export function atTable({ match, is_late }) {
  const takeBack = () => act("t.take_back", { match: match.id });
  const publish = () => act("t.publish", { match: match.id });
  const controls = [
    ...(match.state === "agreed" && may("t.publish") ? [button("publish", say("desk.o.publish_match"), publish)] : []),
    ...tableResult(match),
    ...moreTime(match),
    button("back", say("desk.o.take_back"), takeBack, "quiet"),
    ...tableControls(match, "desk.o.move"),
  ];
  const late = is_late ? [createElement("p", "late", say("desk.o.late"))] : [];
  const made = matchEntry(match, ...late, createElement("div", "buttons", "", ...controls), ...resultForm(match));
  if (is_late || match.state === "contested" || isOverTime(match)) made.classList.add("alarm");
  return made;
}
