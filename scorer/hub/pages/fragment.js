// The one function of all pages that parses HTML.

// The element of a fragment of the server, which has escaped every text of people.
export function fragmentOf(html) {
  const made = document.createElement("template");
  made.innerHTML = html;
  return made.content.firstElementChild;
}
