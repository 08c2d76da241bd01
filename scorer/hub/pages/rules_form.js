// The rules of a new tournament: what a director changes of a format. What stays as it is in the format
// is not sent.

import { choice, field } from "./controls.js";
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

// Draws the fields of a format into `place`; returns a function that answers what is changed.
export function drawRules(say, place, format, variants) {
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
    createElement("details", "", "", createElement("summary", "", say("desk.o.house")), house, books)
  );
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
  for (const each of fields) each.lastChild.dataset.phase = phase.id;
  return fields;
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
  return { every_phase: every, phase };
}
