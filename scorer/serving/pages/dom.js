// Helpers to build a page. Text is only set as text; HTML is parsed by fragmentOf alone.

import { createElement } from "./element.js";

const ROUNDS = 4; // of shrinking: more than the texts of any row

export function replaceChildren(element, ...inside) {
  element.textContent = "";
  element.append(...inside.filter((each) => each !== null && each !== ""));
}

// The element of a fragment of the server, which has escaped every text of people. No other function
// parses HTML.
export function fragmentOf(html) {
  const made = document.createElement("template");
  made.innerHTML = html;
  return made.content.firstElementChild;
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

// In a row, such as a gain and its reasons, the size of one text changes the room of the others:
// all are measured before any is changed, until all fit.
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

// --fit-height: the height of all lines in em, where a row leaves more than a line.
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
