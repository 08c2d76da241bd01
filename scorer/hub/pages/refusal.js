// What the pages of the desk say of a refused decision, at the control that was used.

import { byId, show } from "./controls.js";
import { createElement } from "./element.js";

const ERRORS = { 403: "role", 429: "slow", 503: "store" }; // of answers without a key
const ROW = ".fields, .buttons, .entry, form, section";
// The controls of the fields that the hub names.
const FIELDS = { games: ["o.games0", "o.points0"], points: ["o.points0"], name: ["team"] };

let last = null; // the control that was used last
for (const type of ["click", "change", "submit"])
  document.addEventListener(type, ({ target }) => (last = target), true);

const refusals = new Map(); // by place
let made = 0;

// Hours and minutes; the age in minutes while the clock of the hub is not trusted.
export function timeOf(at, { clock_is_trusted, now }) {
  const language = document.documentElement.lang;
  if (!clock_is_trusted) {
    const minutes = Math.round((new Date(at) - new Date(now)) / 60000);
    const format = new Intl.RelativeTimeFormat(language, { numeric: "auto" });
    return format.format(Math.min(minutes, 0), "minute");
  }
  return new Date(at).toLocaleTimeString(language, {
    hour: "2-digit",
    hourCycle: "h23",
    minute: "2-digit",
  });
}

// The answer of a request with what it has found.
export async function answerOf(sent) {
  const answer = await sent;
  return { ok: answer.ok, status: answer.status, found: answer.json() };
}

// Who has decided what meanwhile, or why a decision is refused; `state` has the clock of the hub.
export function refusalText(say, { status, found }, state) {
  const { change, error, numbers } = found;
  const key = found.key || ERRORS[status];
  const sentence = say(`desk.error.${key}`, numbers) || error;
  if (!change || !state) return sentence;
  const by = changeText(say, change, state);
  return key === "t.changed" ? by : `${sentence} ${by}`;
}

// Who has decided what, and when.
export function changeText(say, { who, what, at, text, reason }, state) {
  const decided = [say(`desk.change.${what}`), text].filter(Boolean).join(": ");
  return say("desk.error.t.changed_by", {
    who: who && who !== "hub" ? who : say("desk.change.hub"),
    what: reason ? `${decided} (${reason})` : decided,
    time: timeOf(at, state),
  });
}

// Where the control is that was used last: the key of its entry in the list `home`, or the element with
// an id around it. `about`: what its entry is of.
export function usedPlace() {
  const control = last && last.isConnected ? last : document.body;
  const entry = control.closest("[data-key]");
  const name = control.closest("[data-name]")?.dataset.name;
  const home = (entry?.parentElement || control).closest("[id]")?.id || "";
  return entry ? placeOf(entry, name) : { key: "", home, name, about: "" };
}

export function placeOf(entry, name = "") {
  const { key, about } = entry.dataset;
  const text = about || entry.querySelector("p")?.firstChild?.textContent || "";
  return { key, home: entry.parentElement.id, name, about: text };
}

// A match keeps its refusal in another list; numbers are keys of several lists.
const isUnique = (key) => key && Number.isNaN(Number(key));
const idOf = ({ key, home }) => (isUnique(key) ? key : `${home} ${key}`);

export function clearRefusal(place) {
  const { element, field } = refusals.get(idOf(place)) || {};
  element?.remove();
  field?.removeAttribute("aria-invalid");
  field?.removeAttribute("aria-describedby");
  refusals.delete(idOf(place));
}

// Says why at a place, until the next use of a control there; `field`: the one that is wrong.
export function refuse(place, text, field = "") {
  clearRefusal(place);
  const about = place.about && createElement("b", "", `${place.about}: `);
  const element = createElement("p", "problem", about, text);
  made += 1;
  element.id = `refusal-${made}`;
  element.setAttribute("role", "alert");
  const row = put(place, element);
  if (!row) return;
  // A form may have rows.
  const form = row.parentElement.closest(".fields") || row;
  const found = field && findNamed(form, FIELDS[field] || [field]);
  refusals.set(idOf(place), { place, element, field: found || null });
  const control = found || findNamed(row, [place.name]);
  if (found) {
    found.setAttribute("aria-invalid", "true");
    found.setAttribute("aria-describedby", element.id);
  }
  control?.focus({ preventScroll: true });
  element.scrollIntoView({ block: "nearest" });
}

// After a redraw: what was said is said again beside the same entry, and not spoken again.
export function keepRefusals() {
  for (const [id, { place, element }] of refusals) {
    if (element.isConnected) continue;
    element.removeAttribute("role");
    if (!put(place, element)) refusals.delete(id);
  }
}

function findNamed(row, names) {
  const named = [...row.querySelectorAll("[data-name], [id]")].filter((each) => each.checkVisibility());
  return named.find((each) => names.includes(each.dataset.name || each.id));
}

// Shows a refusal in the row of its control, else in its entry; of an entry that is gone, before its list;
// if nothing of it is shown any more, at the top. Returns the row, or null.
function put({ key, home, name }, element) {
  const list = byId(home);
  const selector = `[data-key="${CSS.escape(key)}"]`;
  const entry = key && (list?.querySelector(selector) || (isUnique(key) && document.querySelector(selector)));
  const within = entry || list;
  // Its section may be closed.
  within?.dispatchEvent(new CustomEvent("reveal", { bubbles: true }));
  if (!within?.checkVisibility()) {
    show(element.textContent);
    byId("problem").scrollIntoView({ block: "nearest" });
    return null;
  }
  if (key && !entry) {
    list.before(element);
    return list;
  }
  const control = name && findNamed(within, [name]);
  const row = (control || within).closest(ROW) || within;
  row.append(element);
  return row;
}
