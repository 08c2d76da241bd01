// Helpers to build a page. Text is only set as text, never parsed as HTML.

import { createElement } from "./element.js";

export function replaceChildren(element, ...inside) {
  element.textContent = "";
  element.append(...inside.filter((each) => each !== null && each !== ""));
}

export function setText(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

// Colour the sides, in this order, after their lamps; lamps.css has the colours.
export function colourSides({ lamps }, order) {
  const { style } = document.documentElement;
  order.forEach((side, at) => {
    const lamp = lamps && lamps[side];
    if (lamp) style.setProperty(`--lamp-${at}`, `var(--lamp-${lamp})`);
    else style.removeProperty(`--lamp-${at}`);
  });
}

// Fit a line of text into a box: first smaller, then broken into lines of the same total height.
export function makeFitting(tag, kind, text) {
  return createElement(tag, `${kind} fit`, createElement("span", "", text));
}

export function fitAll(place = document) {
  place.querySelectorAll(".fit").forEach(fit);
}

function fit(box) {
  const text = box.firstElementChild;
  text.style.fontSize = "";
  box.classList.remove("lines");
  const room = box.clientWidth / Math.max(1, text.offsetWidth);
  if (room >= 1 || !box.clientWidth) return;
  if (room >= 0.5 || !/\s/.test(text.textContent)) {
    text.style.fontSize = `${Math.max(0.2, Math.floor(98 * room) / 100)}em`;
    return;
  }
  const high = 1.16 * parseFloat(getComputedStyle(box).fontSize);
  box.classList.add("lines");
  for (const size of [0.5, 0.36, 0.27, 0.2]) {
    text.style.fontSize = `${size}em`;
    if (text.offsetHeight <= high) return;
  }
}
