// A game to share: of the table, of the digits in the address, or of a file.

import { replaceChildren, setText } from "./dom.js";
import { createElement } from "./element.js";
import { loadGame, prepare } from "./game_transport.js";
import { gameCode } from "./transport.js";
import { drawPicture } from "./picture.js";
import { createSpeaker } from "./words.js";

const params = new URLSearchParams(location.search);
const byId = (id) => document.getElementById(id);
const page = document.documentElement;
let words = null;
let shown = null; // the document of the game
let fault = ""; // a sentence of the server, or the key of one
let at = 0; // the entry of the replay

function viewer() {
  return ["lang", "ours"].filter((name) => params.get(name)).map((name) => `&${name}=${encodeURIComponent(params.get(name))}`).join("");
}

// The digits stay in the browser's own address until the box is asked to read them.
function open() {
  const digits = location.hash.slice(1);
  const number = params.get("game");
  const which = digits ? `sheet=${encodeURIComponent(digits)}` : number ? `game=${encodeURIComponent(number)}` : "";
  return ask(`${which}${viewer()}`, undefined, !digits);
}

function openFile(file) {
  return file.text().then((sheet) => ask(viewer().slice(1), sheet, false));
}

function ask(query, sheet, isOfTable) {
  return loadGame(query, sheet)
    .then(({ status, document }) => (status === 200 ? show(document, isOfTable) : refuse(status, document && document.error)))
    .catch(() => refuse(0, ""));
}

function refuse(status, sentence) {
  shown = null;
  fault = { 422: sentence, 413: "web.share.too_large", 404: "web.share.broken" }[status] || "web.share.gone";
  draw();
}

function show(document, isOfTable) {
  shown = document;
  fault = "";
  at = Math.max(0, document.scores.length - 1);
  const caption = createElement("figcaption", "");
  const isLong = !document.digits;
  replaceChildren(byId("code"), isOfTable && !isLong ? codeOfTable() : null, isOfTable || isLong ? caption : null);
  caption.dataset.key = isLong ? "web.share.long" : "web.share.code";
  draw();
}

// The words below it say what it is for.
function codeOfTable() {
  const number = params.get("game");
  return gameCode(number ? `game=${encodeURIComponent(number)}` : "", "", () => replaceChildren(byId("code")));
}

function draw() {
  if (!words) return;
  setText(byId("said"), /^web\./.test(fault) ? words.say(fault) : fault);
  byId("shown").hidden = !shown;
  setText(byId("open"), words.say("web.share.open"));
  setText(byId("title"), shown ? shown.phrases.game : words.say("web.share.title"));
  document.title = byId("title").textContent;
  if (shown) drawGame();
  page.dataset.ready = shown || fault ? "yes" : "no";
}

function drawGame() {
  const { phrases, longest } = shown;
  const calls = longest.words.join(", ");
  const sentence = longest.words.length > 1 ? words.say("web.share.longest", { hand: longest.hand, words: calls }) : "";
  drawPicture(byId("picture"), shown, sentence);
  const scores = phrases.order.map((side) => `${phrases.sides[side].name} ${phrases.sides[side].score}`);
  byId("picture").setAttribute("aria-label", [scores.join(", "), phrases.result, phrases.chart, sentence].filter(Boolean).join(" · "));
  for (const key of ["send", "save", "sheet", "back", "next"]) setText(byId(key), words.say(`web.share.${key}`));
  const caption = byId("code").querySelector("figcaption");
  if (caption) setText(caption, words.say(caption.dataset.key));
  byId("send").hidden = !canSend();
  replaceChildren(byId("entries"), ...phrases.entries.map(entryElement));
  drawStep();
}

function entryElement({ who, gain, what, score }, index) {
  const made = createElement(
    "li",
    shown.undone[index] ? "undone" : "",
    createElement("span", "hand", String(shown.entry_hands[index])),
    createElement("b", "who", who),
    createElement("span", "what", [gain, what].filter(Boolean).join(" ")),
    createElement("span", "then", score),
  );
  return made;
}

function drawStep() {
  const { entries, order } = shown.phrases;
  const entry = entries[at];
  const score = entry ? shown.scores[at] : shown.hands[0].score;
  setText(byId("score"), order.map((side) => score[side]).join(" : "));
  setText(byId("step"), entry ? [entry.who, entry.gain, entry.what].filter(Boolean).join(" ") : "");
  byId("back").disabled = at <= 0;
  byId("next").disabled = at >= entries.length - 1;
  [...byId("entries").children].forEach((each, index) => {
    if (index === at) each.setAttribute("aria-current", "step");
    else each.removeAttribute("aria-current");
  });
}

function step(by) {
  at = Math.min(shown.phrases.entries.length - 1, Math.max(0, at + by));
  drawStep();
}

const fileName = (kind) => `truco-${shown.phrases.order.map((side) => shown.phrases.sides[side].score).join("-")}.${kind}`;

// Browsers share files on pages with HTTPS only.
function canSend() {
  return Boolean(navigator.canShare && window.File && navigator.canShare({ files: [new File([], "a.png", { type: "image/png" })] }));
}

function withPicture(act) {
  byId("picture").toBlob((blob) => act(new File([blob], fileName("png"), { type: "image/png" })), "image/png");
}

function download(blob, name) {
  const link = createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(link.href), 60000);
}

function applyTheme() {
  const light = window.matchMedia("(prefers-color-scheme: light)").matches;
  const theme = params.get("theme") || page.dataset.theme;
  page.dataset.look = ["dark", "light", "night"].includes(theme) ? theme : light ? "light" : "dark";
}

applyTheme();
createSpeaker(params, (next) => {
  words = next;
  draw();
});
byId("send").onclick = () => withPicture((file) => navigator.share({ files: [file] }).catch(() => {}));
byId("save").onclick = () => withPicture((file) => download(file, file.name));
byId("sheet").onclick = () => download(new Blob([shown.sheet], { type: "text/plain" }), fileName("truco"));
byId("back").onclick = () => step(-1);
byId("next").onclick = () => step(1);
byId("file").onchange = () => byId("file").files[0] && openFile(byId("file").files[0]);
window.addEventListener("hashchange", open);
prepare().then(open);
