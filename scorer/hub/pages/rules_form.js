// The rules of a new tournament: what a director changes of a format. What stays as it is in the format
// is not sent.

import { button, choice, field } from "./controls.js";
import { createElement } from "./element.js";

const SERIES = [{ best_of: 1 }, { best_of: 3 }, { best_of: 5 }, { best_of: 7 }, { legs: 2 }, { legs: 3 }];

const isChanged = (control) => control.value !== control.dataset.initial;

// The label of a control that keeps what it showed first.
function kept([control, label]) {
  control.dataset.initial = control.value;
  return label;
}

const number = (name, label, value, min, max) =>
  kept(field("number", name, label, value, { min, max, required: true }));
const select = (name, label, values, value) => kept(choice(name, label, values, value));

// Draws the fields of a format into `place`; returns a function that answers what is changed. `tiebreaks`: all of them,
// as pairs of a key and its words.
export function drawRules(say, place, format, { variants, tiebreaks }) {
  const [first] = format.phases;
  const find = (name) => place.querySelector(`[data-name="${name}"]`);
  const house = createElement("div", "fields", "");
  // The documented targets, and the books that the house rules cite.
  const [targets, books] = [createElement("small", "sources", ""), createElement("small", "sources", "")];
  const known = variants.map(({ id, title }) => [id, title]);
  place.replaceChildren(
    select("variant", say("desk.o.variant"), known, first.variant),
    number("target", say("desk.o.target"), first.target, 1, 99),
    targets,
    number("cap", say("desk.o.cap"), first.cap, 0, 600),
    ...format.phases.flatMap((phase) => phaseFields(say, phase)),
    ...format.phases.flatMap((phase) => phaseDetails(say, phase, tiebreaks)),
    createElement("details", "", "", createElement("summary", "", say("desk.o.house")), house, books)
  );
  for (const lengths of place.querySelectorAll(".lengths")) {
    const of = (name) => place.querySelector(`[data-name="${name}"][data-phase="${CSS.escape(lengths.dataset.of)}"]`);
    const [series, rounds] = [of("series"), of("rounds")];
    // Games that are all played are of every round.
    const show = () => (lengths.parentElement.hidden = !JSON.parse(series.value).best_of);
    series.addEventListener("change", show);
    show();
    rounds?.addEventListener("change", () => rounds.checkValidity() && lengths.redraw(Number(rounds.value)));
  }
  for (const bye of place.querySelectorAll("[data-name=bye]")) {
    const score = place.querySelector(`[data-tiebreaks="${CSS.escape(bye.dataset.phase)}"] [data-key=score]`);
    // A bye that is no win counts in the score alone: it comes first, as the list shows.
    bye.addEventListener("change", () => {
      const tick = score.querySelector("input");
      if (Number(bye.value) === Number(bye.max) || tick.checked) return;
      tick.checked = true;
      score.parentElement.prepend(score);
    });
  }
  const drawHouse = () => {
    const variant = variants.find(({ id }) => id === find("variant").value);
    const chosen = isChanged(find("variant")) ? {} : first.options;
    if (isChanged(find("variant"))) find("target").value = variant.target;
    else find("target").value = first.target;
    const listed = (pairs) => pairs.map((pair) => pair.join(": ")).join(" · ");
    targets.textContent = listed(variant.targets);
    books.textContent = listed(variant.books);
    house.replaceChildren(...variant.options.map((option) => houseField(option, chosen)));
  };
  find("variant").addEventListener("change", drawHouse);
  drawHouse();
  return () => changesIn(place, find, house);
}

function phaseFields(say, phase) {
  const word = (key) => say(key, { phase: phase.title });
  const now = phase.legs ? { legs: phase.legs } : { best_of: phase.best_of };
  const series = [...SERIES, now].map((each) => [JSON.stringify(each), seriesText(say, each)]);
  const fields = [select("series", word("desk.o.series"), [...new Map(series)], JSON.stringify(now))];
  if (phase.zone_size) fields.push(number("zone_size", word("desk.o.zone_size"), phase.zone_size, 2, 40));
  if (phase.rounds) fields.push(number("rounds", word("desk.o.rounds"), phase.rounds, 1, 40));
  if (phase.bye !== null) fields.push(number("bye", say("desk.o.bye", { phase: phase.title, n: phase.win }), phase.bye, 0, phase.win));
  for (const each of fields) each.lastChild.dataset.phase = phase.id;
  return fields;
}

// What few directors change, folded.
function phaseDetails(say, phase, tiebreaks) {
  const made = [];
  const add = (key, ...content) =>
    made.push(createElement("details", "", "", createElement("summary", "", say(key, { phase: phase.title })), ...content));
  if (phase.last_rounds.length || phase.rounds) add("desk.o.lengths", lengthFields(say, phase));
  if (phase.tiebreaks.length) add("desk.o.tiebreaks", tiebreakList(say, phase, tiebreaks));
  return made;
}

// How long the matches of single rounds are, from the last one back; a phase of rounds has as many fields as it has rounds.
function lengthFields(say, phase) {
  const place = createElement("div", "fields lengths", "");
  place.dataset.of = phase.id;
  const usual = [["", say("desk.o.length.usual")]];
  const known = SERIES.flatMap(({ best_of }) => (best_of ? [[String(best_of), seriesText(say, { best_of })]] : []));
  const draw = (rounds) =>
    place.replaceChildren(
      ...rounds.map((name, at) => {
        const label = select("length", name, [...usual, ...known], String(phase.best_of_last[at] || ""));
        return label;
      })
    );
  const names = (count) => Array.from({ length: count }, (_, at) => say("desk.o.round", { n: count - at }));
  draw(phase.rounds ? names(phase.rounds) : phase.last_rounds);
  place.redraw = (count) => draw(names(count));
  return place;
}

// The criteria in their order, each ticked if it counts. The draw is the last one, after a play-off.
function tiebreakList(say, phase, tiebreaks) {
  const list = createElement("ol", "tiebreaks", "");
  const words = new Map(tiebreaks);
  const order = [...phase.tiebreaks, ...words.keys()].filter((each, at, all) => all.indexOf(each) === at);
  const [last, free] = [LAST.filter((each) => order.includes(each)), order.filter((each) => !LAST.includes(each))];
  for (const key of [...free, ...last]) {
    const tick = Object.assign(createElement("input", "", ""), { type: "checkbox", checked: phase.tiebreaks.includes(key) });
    tick.disabled = key === "draw";
    const item = createElement("li", "", "", createElement("label", "check", "", tick, createElement("span", "", words.get(key))));
    item.dataset.key = key;
    if (!LAST.includes(key)) item.append(...moves(say, item, words.get(key)));
    list.append(item);
  }
  list.dataset.tiebreaks = phase.id;
  list.dataset.initial = phase.tiebreaks.join();
  return list;
}

const LAST = ["playoff", "draw"];

function moves(say, item, name) {
  const move = (key, text, swap) => {
    const made = button(key, text, () => {
      swap();
      made.focus();
    }, "quiet");
    made.setAttribute("aria-label", say(`desk.o.move_${key}`, { name }));
    return made;
  };
  const isFree = (other) => other && !LAST.includes(other.dataset.key);
  return [
    move("up", "↑", () => item.previousElementSibling?.before(item)),
    move("down", "↓", () => isFree(item.nextElementSibling) && item.nextElementSibling.after(item)),
  ];
}

function seriesText(say, { best_of, legs }) {
  if (legs) return say("paper.legs", { n: legs });
  return best_of > 1 ? say("paper.best_of", { n: best_of }) : say("desk.o.series.one");
}

function houseField({ key, label, default: usual, values }, chosen) {
  const texts = values.map(([value, text]) => [JSON.stringify(value), text]);
  const wanted = key in chosen ? chosen[key] : usual;
  const [now] = values.find(([value]) => String(value) === String(wanted)) || [usual];
  const made = select(key, label, texts, JSON.stringify(now));
  made.lastChild.dataset.usual = JSON.stringify(usual);
  return made;
}

function changesIn(place, find, house) {
  const every = {};
  const phase = {};
  const isOther = isChanged(find("variant"));
  if (isOther) every.variant = find("variant").value;
  if (isOther || isChanged(find("target"))) every.target = Number(find("target").value);
  if (isChanged(find("cap"))) every.cap = Number(find("cap").value);
  const options = [...house.querySelectorAll("select")];
  if (isOther || options.some(isChanged))
    every.options = Object.fromEntries(
      options
        .filter((each) => each.value !== each.dataset.usual)
        .map((each) => [each.dataset.name, JSON.parse(each.value)])
    );
  for (const control of [...place.querySelectorAll("[data-phase]")].filter(isChanged)) {
    const { name, phase: id } = control.dataset;
    phase[id] = { ...phase[id], ...(name === "series" ? JSON.parse(control.value) : { [name]: Number(control.value) }) };
  }
  for (const { dataset, children } of place.querySelectorAll("[data-tiebreaks]")) {
    const chain = [...children].filter((item) => item.querySelector("input").checked).map((item) => item.dataset.key);
    if (chain.join() !== dataset.initial) phase[dataset.tiebreaks] = { ...phase[dataset.tiebreaks], tiebreaks: chain };
  }
  for (const each of place.querySelectorAll(".lengths")) {
    const { of } = each.dataset;
    const { best_of } = JSON.parse(place.querySelector(`[data-name="series"][data-phase="${CSS.escape(of)}"]`).value);
    const lengths = best_of && lengthsIn(each, best_of);
    if (lengths) phase[of] = { ...phase[of], best_of_last: lengths };
  }
  return { every_phase: every, phase };
}

// The games of the last rounds of a phase, whose others have `best_of`; null if they stay as they are.
function lengthsIn(place, best_of) {
  const controls = [...place.querySelectorAll("select")];
  if (!controls.some(isChanged)) return null;
  const found = controls.map(({ value }) => Number(value) || best_of);
  while (found.length && found[found.length - 1] === best_of) found.pop();
  return found;
}
