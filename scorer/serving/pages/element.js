// An element with a class and what is inside: text and other elements; null and "" are left out.
// Text is only set as text, never parsed as HTML.
export function createElement(tag, kind, ...inside) {
  const made = document.createElement(tag);
  if (kind) made.className = kind;
  made.append(...inside.filter((each) => each !== null && each !== ""));
  return made;
}
