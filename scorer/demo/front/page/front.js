// The page of the front panel: built from the first message, updated from each state.

import { Buzzer } from "./buzzer.js";
import { hands } from "./fingers.js";
import { draw, fit } from "./panel.js";
import { wire } from "./connection.js";

const HIGH = 0.36; // share of the window height, for one panel
const LEAST = 170; // pixels of a panel in a low window, at least
const byId = (id) => document.getElementById(id);
const buzzer = new Buzzer();
let greeting = { words: {}, hold: 0.9, board: false, run: "" };
let shown = null; // the newest state
let built = ""; // the layout that the page was built for
let lastBuzz = 0; // number of the newest buzz played

const demo = wire({ hello, look, lost });
let isLit = Boolean(demo.isLit); // whether the buttons that may be pressed are lit
const fingers = hands(byId("box"), demo.finger, () => (shown ? shown.keys : {}), () => greeting.hold);

function say(key, fields = {}) {
  return (greeting.words[key] || "").replace(/\{(\w+)\}/g, (_, name) => fields[name] ?? "");
}

function make(tag, name, text) {
  const made = document.createElement(tag);
  if (name) made.className = name;
  if (text) made.textContent = text;
  return made;
}

function hello(next) {
  // Another demo: its page may differ, so reload.
  if (greeting.run && greeting.run !== next.run) location.reload();
  const first = !greeting.run;
  greeting = next;
  lastBuzz = first ? -1 : lastBuzz;
  built = "";
  document.title = say("front.title");
  byId("hint").textContent = [
    say("front.hint"),
    say("terminal.keys"),
    say("terminal.unplug"),
    say("terminal.cut"),
  ].join(" · ");
}

function lost(isLost) {
  byId("lost").hidden = !isLost;
  byId("lost").textContent = say("front.lost") || "…";
  document.documentElement.dataset.lost = isLost ? "yes" : "no";
  if (isLost) fingers.letGo();
}

function look(next) {
  const before = shown;
  shown = next;
  const made = JSON.stringify([Object.keys(next.panels), next.buttons, next.keys]);
  if (made !== built) {
    built = made;
    build();
  }
  document.documentElement.dataset.dark = next.dark ? "yes" : "no";
  for (const [name, panel] of Object.entries(next.panels)) drawPanel(name, panel, before);
  for (const lamp of document.querySelectorAll("[data-lamp]")) {
    const colour = next.colours[lamp.dataset.lamp];
    if (colour) lamp.style.setProperty("--light", `rgb(${colour})`);
    lamp.classList.toggle("on", Boolean(next.lamps[lamp.dataset.lamp]));
  }
  for (const name of document.querySelectorAll("[data-name]")) {
    name.textContent = next.names[name.dataset.name] || "";
  }
  tellScore(before, next);
  for (const button of document.querySelectorAll("[data-line]")) {
    button.classList.toggle("pressed", next.down.includes(button.dataset.line));
    const isUnused = next.unused.includes(button.dataset.line);
    button.classList.toggle("unused", isUnused);
    button.style.setProperty("--lit", String((next.lit[button.dataset.line] || 0) / 100));
    button.setAttribute("aria-disabled", String(isUnused));
  }
  tell(next);
  sound(next.buzzes);
  document.documentElement.dataset.ready = "yes";
}

function drawPanel(name, panel, before) {
  const figure = document.querySelector(`[data-panel="${name}"]`);
  const canvas = figure.querySelector("canvas");
  const last = before && before.panels[name];
  if (!canvas.dataset.drawn || !last || last.bits !== panel.bits || last.dim !== panel.dim) {
    draw(canvas, panel);
    canvas.dataset.drawn = "yes";
  }
  canvas.setAttribute("aria-label", panel.said.join(" · "));
  figure.classList.toggle("unplugged", !panel.plugged);
  const cable = document.querySelector(`[data-cable="${name}"]`);
  cable.setAttribute("aria-pressed", String(!panel.plugged));
}

// A screen reader hears the score after each payment and correction.
function tellScore(before, next) {
  if (!before || next.dark || JSON.stringify(before.score) === JSON.stringify(next.score)) return;
  const sides = Object.keys(next.score);
  byId("score").textContent = sides.map((side) => `${next.names[side]} ${next.score[side]}`).join(" · ");
}

function tell(next) {
  const verdict = byId("verdict");
  const text = next.dark ? say("terminal.dark") : next.verdict ? say(`terminal.${next.verdict}`) : "";
  verdict.dataset.verdict = next.dark ? "dark" : next.verdict;
  verdict.dataset.presses = String(next.presses);
  if (verdict.textContent !== text) verdict.textContent = text;
}

function sound(buzzes) {
  const newest = buzzes.length ? buzzes[buzzes.length - 1][0] : 0;
  // Do not play phrases from before this page was loaded.
  if (lastBuzz >= 0) for (const [number, phrase] of buzzes) if (number > lastBuzz) buzzer.play(phrase);
  lastBuzz = newest;
  document.documentElement.dataset.buzzes = String(buzzer.played.length);
}

// ---- building ----------------------------------------------------------------------------------

function build() {
  const consoles = Object.keys(shown.buttons).filter((line) => line.includes("."));
  const names = [...new Set(consoles.map((line) => line[0]))];
  byId("panels").replaceChildren(...Object.keys(shown.panels).map(panelOf));
  const middle = consoleOf("", Object.keys(shown.buttons).filter((line) => !line.includes(".")));
  const made = names.map((name) => consoleOf(name, consoles.filter((line) => line[0] === name)));
  made.splice(1, 0, middle);
  byId("consoles").replaceChildren(...made);
  byId("consoles").dataset.consoles = String(names.length);
  byId("panels").dataset.panels = String(Object.keys(shown.panels).length);
  byId("simulation").replaceChildren(...simulation());
  byId("tools").replaceChildren(...tools());
  for (const [name, panel] of Object.entries(shown.panels)) {
    draw(document.querySelector(`[data-panel="${name}"] canvas`), panel);
  }
  size();
}

function panelOf(name) {
  const figure = make("figure", "panel");
  figure.dataset.panel = name;
  const glass = make("div", "glass");
  const canvas = make("canvas");
  canvas.setAttribute("role", "img");
  glass.append(canvas, make("span", "loose", say("front.loose")));
  figure.append(glass, make("figcaption", "", whose(name)));
  return figure;
}

function whose(panel) {
  const key = Object.keys(shown.panels).length > 1 ? "terminal.shown.team" : "terminal.shown";
  return say(key, { panel });
}

function consoleOf(name, lines) {
  const console = make("section", name ? `console side-${name}` : "console middle");
  if (name) {
    const head = make("header");
    const lamp = make("span", "lamp");
    lamp.dataset.lamp = name;
    const called = make("span", "name");
    called.dataset.name = name;
    head.append(lamp, make("strong", "", name), called);
    console.append(head);
  }
  const plate = make("div", "plate");
  plate.dataset.count = String(lines.length);
  plate.append(...lines.map(buttonOf));
  console.append(plate);
  return console;
}

function buttonOf(line) {
  const [word, small] = shown.buttons[line];
  const letter = Object.keys(shown.keys).find((each) => shown.keys[each] === line) || "";
  const button = make("button", `button ${line.split(".").pop()}`);
  button.type = "button";
  button.dataset.line = line;
  const dome = make("span", "dome");
  dome.append(make("kbd", "", letter.toUpperCase()));
  const label = make("span", "label", word);
  if (small) label.append(make("small", "", small));
  button.append(dome, label);
  if (line.includes(".")) {
    const team = make("span", "unseen");
    team.dataset.name = line[0];
    button.append(" ", team);
  }
  return button;
}

// What happens to a box: its place is apart from the buttons.
function simulation() {
  const cables = Object.keys(shown.panels).map((name) => {
    const cable = tool(say("front.cable", { panel: name }), () => demo.plug({ panel: name }));
    cable.dataset.cable = name;
    return cable;
  });
  const power = tool(say("front.power"), () => demo.plug({ wall: true }));
  power.id = "power";
  return [...cables, power];
}

function tools() {
  const quiet = tool(say("front.sound"), () => {
    quiet.setAttribute("aria-pressed", String(buzzer.turn()));
  });
  quiet.id = "sound";
  quiet.setAttribute("aria-pressed", String(buzzer.on));
  const made = [quiet];
  if (demo.light) {
    const lights = tool(say("front.lights"), () => {
      isLit = !isLit;
      demo.light(isLit);
      lights.setAttribute("aria-pressed", String(isLit));
    });
    lights.id = "lights";
    lights.setAttribute("aria-pressed", String(isLit));
    made.push(lights);
  }
  if (greeting.board) {
    const board = make("a", "tool", say("front.board"));
    board.id = "board";
    board.href = greeting.board;
    board.target = "_blank";
    board.rel = "noopener";
    made.push(board);
  }
  return made;
}

function tool(text, act) {
  const made = make("button", "tool", text);
  made.type = "button";
  made.addEventListener("click", act);
  return made;
}

function size() {
  for (const figure of document.querySelectorAll("[data-panel]")) {
    const canvas = figure.querySelector("canvas");
    const edge = parseFloat(getComputedStyle(figure).getPropertyValue("--bezel")) * 2;
    fit(canvas, figure.clientWidth - edge, Math.max(LEAST, window.innerHeight * HIGH));
  }
}

window.addEventListener("resize", size);
for (const name of ["pointerdown", "keydown"]) {
  window.addEventListener(name, () => buzzer.touched(), { capture: true });
}
window.addEventListener("keydown", (event) => {
  if (!shown || event.repeat || event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.key === "F8") demo.plug({ panel: Object.keys(shown.panels)[event.shiftKey ? 1 : 0] });
  else if (event.key === "F9") demo.plug({ wall: true });
  else return;
  event.preventDefault();
});
