// Labelled controls of the desk and the tournament page, and the line that shows a problem.

import { createElement } from "./element.js";
import { request } from "./request.js";

const PATIENCE = 30; // seconds for an answer: pairing many teams takes some

export const byId = (id) => document.getElementById(id);
export const small = (...texts) => createElement("small", "", texts.filter(Boolean).join(" · "));

export function show(problem) {
  byId("problem").textContent = problem;
  byId("problem").hidden = !problem;
}

// What is shown stays while the hub does not answer, and says so.
export function showStale(isStale) {
  byId("stale").hidden = !isStale;
}

// A request that changes something; no other page can send it. Without an answer its status is 0.
export const post = (path, body) =>
  request(path, { method: "POST", headers: { "Content-Type": "application/json", "X-Truco": "1" }, body, seconds: PATIENCE }).catch(
    () => ({ ok: false, status: 0, json: () => ({ key: "unanswered" }) })
  );

// `name` finds the button again after its entry was drawn anew.
export function button(name, text, onClick, className = "") {
  const made = createElement("button", className, text);
  made.type = "button";
  made.dataset.name = name;
  made.addEventListener("click", onClick);
  return made;
}

// An input with its label; `limits`: other ones than these.
export function field(type, name, label, value = "", limits = {}) {
  const most = type === "number" ? { min: 0, max: 999 } : { maxLength: 200 };
  const made = Object.assign(createElement("input", "", ""), { type, value, ...most, ...limits });
  made.dataset.name = name;
  return [made, labelled(label, made)];
}

// A select with its label; `values`: pairs of a value and its text, one of them selected.
export function choice(name, label, values, selected) {
  const options = values.map(([value, text]) => new Option(text, value, false, value === selected));
  const made = createElement("select", "", "", ...options);
  made.dataset.name = name;
  return [made, labelled(label, made)];
}

const labelled = (text, control) => createElement("label", "", "", createElement("span", "", text), control);
