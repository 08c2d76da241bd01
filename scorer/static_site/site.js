// Looks for a newer page every half minute, and shows what has changed in it. Old televisions run it too.

const PAUSE = 30000; // milliseconds

const parts = ["header", "main", "footer"];
const find = (page, part) => page.querySelector(part);

function show(text) {
  const newer = new DOMParser().parseFromString(text, "text/html");
  for (const part of parts) {
    const [old, fresh] = [find(document, part), find(newer, part)];
    if (old && fresh && !old.isEqualNode(fresh)) replace(old, fresh);
  }
  document.title = newer.title;
}

// What has the focus keeps it, if it is still there, and what is open stays so.
function replace(old, fresh) {
  const open = [...old.querySelectorAll("details[open]")].map((each) => each.id);
  const focused = old.contains(document.activeElement) ? pathTo(old, document.activeElement) : null;
  old.textContent = "";
  old.append(...fresh.childNodes);
  for (const id of open) {
    const found = document.getElementById(id);
    if (found) found.open = true;
  }
  if (!focused) return;
  const found = focused.reduce((at, index) => at && at.children[index], old);
  if (found) found.focus({ preventScroll: true });
}

function pathTo(root, element) {
  const path = [];
  for (let at = element; at !== root; at = at.parentElement) path.unshift([...at.parentElement.children].indexOf(at));
  return path;
}

// The address may name what a reader opens; browsers of before 2023 do not open it.
function openNamed() {
  const named = document.getElementById(location.hash.slice(1));
  const folded = named && named.closest("details");
  if (!folded || folded.open) return;
  folded.open = true;
  named.scrollIntoView({ block: "center" });
}

async function look() {
  if (document.hidden) return;
  // Any cache between asks the server whether its copy is the newest one.
  const answer = await fetch(location.href.split("#")[0], { cache: "no-cache" }).catch(() => null);
  const text = answer && answer.ok ? await answer.text().catch(() => "") : "";
  if (text) show(text);
  document.getElementById("stale").hidden = Boolean(text);
}

// Of a file nothing can be asked: it is loaded again.
if (location.protocol === "file:") setInterval(() => document.hidden || location.reload(), 2 * PAUSE);
else {
  setInterval(look, PAUSE);
  document.addEventListener("visibilitychange", look);
}

addEventListener("hashchange", openNamed);
openNamed();
