// Lists whose entries stay where they are: what changes takes no focus and closes no form.

import { byId } from "./controls.js";
import { createElement } from "./element.js";
import { keepRefusals } from "./refusal.js";

// Draws the entries that have changed. Of one whose controls are the same, or whose form is open, only
// the text is drawn. `keyOf` finds an entry again, `draw` makes it, its controls depend on `controlsOf`.
// `lose` is told of entries that have gone while their form was open.
export function drawList(place, items, { keyOf, draw, controlsOf = (item) => item, lose = () => {} }, empty = "") {
  const known = new Map([...place.children].map((entry) => [entry.dataset.key, entry]));
  const entries = items.map((item) => {
    const [key, controls] = [String(keyOf(item)), JSON.stringify(controlsOf(item))];
    const whole = JSON.stringify(item) + controls;
    const old = known.get(key);
    if (old?.dataset.whole === whole) return old;
    const made = draw(item);
    const hasSameControls = old?.dataset.controls === controls;
    if (!hasSameControls && !(old?.dataset.whole !== undefined && old.querySelector("details[open]"))) {
      Object.assign(made.dataset, { key, whole, controls });
      keepRead(old, made);
      return made;
    }
    old.className = made.className;
    old.firstElementChild.replaceWith(made.firstElementChild);
    // With other controls it is drawn as a whole once its form is closed.
    old.dataset.whole = hasSameControls ? whole : "";
    return old;
  });
  if (!entries.length && empty) {
    const none = known.get("empty") || createElement("p", "", empty);
    none.dataset.key = "empty";
    if (none.textContent !== empty) none.textContent = empty;
    entries.push(none);
  }
  const kept = new Set(entries.map((entry) => entry.dataset.key));
  for (const [key, entry] of known) {
    if (entries.includes(entry)) continue;
    if (!kept.has(key) && entry.querySelector("details[open]:not(.why)")) lose(entry);
    entry.remove();
  }
  // An entry that stays where it is keeps the focus.
  entries.forEach((entry, at) => {
    if (place.children[at] !== entry) place.insertBefore(entry, place.children[at] || null);
  });
}

// What was opened to be read stays open in an entry that is drawn anew.
function keepRead(old, made) {
  const open = old?.querySelector("details.why[open]");
  if (open) made.querySelector("details.why")?.replaceWith(open);
}

// Lets the entries be drawn as a whole next time, open forms too.
export function forget(entries) {
  for (const { dataset } of entries) {
    delete dataset.whole;
    delete dataset.controls;
  }
}

// A control that was drawn again keeps the focus; if it is gone, its entry or its list has it.
export function keepFocus(redraw) {
  const before = document.activeElement;
  const { name } = before.dataset;
  const key = before.closest("[data-key]")?.dataset.key;
  const title = before.closest("section")?.querySelector("h2");
  redraw();
  keepRefusals();
  if (before === document.body) return;
  if (before.isConnected) {
    // It may have moved to an entry that was drawn anew.
    before.focus();
    return;
  }
  const again = [...document.querySelectorAll(`[data-name="${name}"]`)].find(
    (control) => control.closest("[data-key]")?.dataset.key === key && control.checkVisibility()
  );
  const entry = key && document.querySelector(`[data-key="${CSS.escape(key)}"] summary`);
  const target = again || entry || (title?.checkVisibility() ? title : byId("title"));
  if (target === title) title.tabIndex = -1;
  target.focus();
}
