// The sections of the tournament page: they open and close, and stay as they were left.

import { createElement } from "./element.js";

const KEPT = "organise.sections";
const LONG = 24; // entries above which a list to look things up in begins closed
const READ = ["standings-title", "bracket-title"]; // begin closed: they are fetched
const LISTED = ["official-title", "entered-title"];

const chosen = new Map(readChosen()); // by the id of a title, whether it is open

function readChosen() {
  try {
    return JSON.parse(sessionStorage.getItem(KEPT)) || [];
  } catch {
    return []; // a browser may keep nothing
  }
}

function keepChosen() {
  try {
    sessionStorage.setItem(KEPT, JSON.stringify([...chosen]));
  } catch {
    // The page that is loaded again begins anew.
  }
}

const titles = () => [...document.querySelectorAll("main > section > h2")];

function setOpen(title, open) {
  title.querySelector("button").setAttribute("aria-expanded", open);
  title.parentElement.classList.toggle("closed", !open);
}

function choose(title, open) {
  chosen.set(title.id, open);
  keepChosen();
  setOpen(title, open);
  title.dispatchEvent(new CustomEvent("toggled", { bubbles: true }));
}

export const isOpen = (id) => !document.getElementById(id).parentElement.classList.contains("closed");

// Opens the section of an element that is to be seen.
export function reveal(element) {
  const title = element.closest("main > section")?.querySelector("h2");
  if (title && !isOpen(title.id)) choose(title, true);
}

// Makes each title a button; called once the titles have their words.
export function setUpSections() {
  for (const title of titles()) {
    const toggle = createElement("button", "toggle", title.textContent);
    toggle.type = "button";
    toggle.addEventListener("click", () => choose(title, !isOpen(title.id)));
    title.replaceChildren(toggle);
    setOpen(title, chosen.get(title.id) ?? !READ.includes(title.id));
  }
  window.addEventListener("hashchange", () => {
    const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
    if (target) reveal(target);
  });
}

// The number of entries beside each title. Long lists begin closed, unless they were opened.
export function countEntries() {
  for (const title of titles()) {
    const { length } = title.parentElement.querySelectorAll(":scope > div > [data-key]");
    title.dataset.count = length || "";
    const isLong = LISTED.includes(title.id) && length > LONG;
    if (isLong && !chosen.has(title.id)) {
      chosen.set(title.id, false);
      setOpen(title, false);
    }
  }
}
