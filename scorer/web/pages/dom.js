// Helpers to build a page. Text is only set as text, never parsed as HTML.

export function createElement(tag, kind, ...inside) {
  const made = document.createElement(tag);
  if (kind) made.className = kind;
  made.append(...inside.filter((each) => each !== null && each !== ""));
  return made;
}

export function replaceChildren(element, ...inside) {
  element.textContent = "";
  element.append(...inside.filter((each) => each !== null && each !== ""));
}

export function setText(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

// Fit a line of text into a box: first smaller, then broken into lines of the same total height.
export function makeFitting(tag, kind, text) {
  return createElement(tag, `${kind} fit`, createElement("span", "", text));
}

export function fitAll() {
  document.querySelectorAll(".fit").forEach(fit);
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
