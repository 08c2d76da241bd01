// Helpers to build a page. Text is only set as text.

import { createElement } from "./element.js";

const ROUNDS = 4; // of shrinking

export function replaceChildren(element, ...inside) {
  element.textContent = "";
  element.append(...inside.filter((each) => each !== null && each !== ""));
}

export function setText(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

// Colour the sides, in this order, after their lamps.
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

// One text of a row changes the room of the others: all are measured before any is changed.
export function fitAll(place = document) {
  const boxes = [...place.querySelectorAll(".fit")];
  for (const box of boxes) {
    box.firstElementChild.style.fontSize = "";
    box.classList.remove("lines");
  }
  const sizes = new Map(); // the shrunk ones -> em
  for (let round = 0; round < ROUNDS; round += 1) {
    const rooms = boxes.map((box) => [box, box.clientWidth / Math.max(1, box.firstElementChild.offsetWidth)]);
    const narrow = rooms.filter(([box, room]) => room > 0 && room < 1 && !box.classList.contains("lines"));
    if (!narrow.length) return;
    for (const [box, room] of narrow) {
      const size = (sizes.get(box) || 1) * room;
      sizes.set(box, Math.max(0.2, Math.floor(98 * size) / 100));
    }
    narrow.forEach(([box]) => shrink(box, sizes.get(box)));
  }
}

// --fit-height: of all lines, in em; usually one line.
function shrink(box, size) {
  const text = box.firstElementChild;
  text.style.fontSize = `${size}em`;
  const style = getComputedStyle(box);
  const height = parseFloat(style.getPropertyValue("--fit-height")) || 1.16;
  if (size >= height / 2.32 || !/\s/.test(text.textContent)) return;
  const high = height * parseFloat(style.fontSize);
  box.classList.add("lines");
  for (const lines of [0.9, 0.8, 0.7, 0.6, 0.5, 0.36, 0.27, 0.2]) {
    text.style.fontSize = `${lines}em`;
    if (text.offsetHeight <= high) return;
  }
}
