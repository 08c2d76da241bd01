// The settings page: all values of the box, for a phone that the box has given the right to change them.
// The table checks and saves; this page shows what it answers.

import { replaceChildren, setText } from "./dom.js";
import { createElement } from "./element.js";
import { request } from "./request.js";
import { createSpeaker } from "./words.js";

const params = new URLSearchParams(location.search);
const byId = (id) => document.getElementById(id);
const page = document.documentElement;
const POLL_MS = 1000; // while a service saves
const MAX_POLLS = 90;
const MAX_TRIAL_POLLS = 180; // a trial of a minute, and two starts of the table
const MAX_COPY_POLLS = 1200; // a slow stick, and the start of the table that follows
const READING = "backup_looking"; // the result while the stick is read
const LAYERS = ["file", "card", "page", "box"]; // the last one that sets a value counts
const OWN_LAYERS = { page: "service trial", box: "now between" }; // layers that this page takes back, by the ways of a row

let words = null;
let settings = null; // the newest answer of the table
let drafts = new Map(); // path -> what was typed and not saved
let faults = new Map(); // path -> sentence about a value that was refused
let fresh = new Set(); // paths that somebody else has changed
const openSections = new Set();
let sending = false;
let trying = false; // wiring was saved for a trial
let polls = 0;
let copyInQuestion = ""; // the name of the copy that is put back if the answer is yes

function send(path, body) {
  const headers = { "Content-Type": "application/json", "X-Truco": "1" };
  return request(path, { method: "POST", headers, body: JSON.stringify(body) })
    .then((answer) => (answer.status === 429 ? { error: "SLOW" } : answer.json()))
    .catch(() => ({ error: "GONE" }));
}

const ERRORS = {
  GAME: "owner.game",
  CONSOLE: "owner.console",
  NO_CODE: "owner.no_code",
  WRONG_CODE: "owner.wrong_code",
  BLOCKED: "owner.blocked",
  NAME: "owner.name_missing",
  SLOW: "owner.slow",
  GONE: "owner.gone",
  BUSY: "owner.busy",
  INSECURE: "owner.insecure",
  VALUE: "owner.wrong",
  UNREADABLE: "owner.wrong",
  TRIAL: "owner.trial",
  UNPAIRED: "owner.left",
};

function say(sentence) {
  setText(byId("said"), sentence);
}

function sayError(answer, others) {
  const key = (others && others[answer.error]) || ERRORS[answer.error];
  say(key ? words.say(key) : words.say("owner.refused", { why: answer.text || answer.error }));
}

// ---- values and their words

function shown(row, value) {
  if (row.secret) return words.say(value ? "owner.set" : "owner.unset");
  if (value === true) return words.say("owner.yes");
  if (value === false) return words.say("owner.no");
  if (value === null || value === undefined || value === "" || (Array.isArray(value) && !value.length)) return words.say("owner.none");
  if (Array.isArray(value)) return value.join(", ");
  return choiceTitle(row, value);
}

function choiceTitle(row, value) {
  const at = (row.choices || []).indexOf(value);
  if (at >= 0 && row.titles) return row.titles[at];
  const option = row.key.startsWith("house.") ? `option.${row.key.slice(6)}.${value}` : `owner.choice.${row.path}.${value}`;
  return words.say(option) || (typeof value === "boolean" ? words.say(value ? "owner.yes" : "owner.no") : String(value));
}

function meaning(row) {
  if (row.key.startsWith("house.")) {
    const name = row.key.slice(6);
    return words.say(`option.${name}.what`) || words.say(`option.${name}`) || row.key;
  }
  if (row.key.startsWith("lines.")) return words.say("owner.line", { button: row.key.slice(6).replace(/[._]/g, " ").toUpperCase() });
  return words.say(`owner.key.${row.path}`) || row.key || words.say(`owner.section.${row.path}`);
}

function limits(row) {
  if (row.most !== undefined) return words.say("owner.range", { least: row.least, most: row.most });
  if (row.least !== undefined) return words.say("owner.least", { least: row.least });
  if (row.letters !== undefined) return words.say("owner.letters", { most: row.letters });
  if (row.kind === "list") return words.say("owner.list") + (row.choices ? `: ${row.choices.join(", ")}` : "");
  return "";
}

// Every layer that sets the value, the one that counts last.
function origin(row) {
  const layers = LAYERS.filter((name) => name in row.layers).map((name) => {
    const from = words.say(`owner.from.${name}`);
    return row.secret ? from : `${from} ${shown(row, row.layers[name])}`;
  });
  return words.say("owner.origin", { from: layers.join(" > ") || words.say("owner.from.default") });
}

function about(row) {
  const fallback = row.secret ? "" : words.say("owner.default", { value: shown(row, row.default) });
  // The table itself reads the code, and no service.
  const way = row.secret && row.key === "code" ? "between" : row.way;
  const when = way === "file" ? "" : words.say(`owner.when.${way}`);
  return [row.path, limits(row), fallback, origin(row), when].filter(Boolean).join(" · ");
}

// ---- fields

function fieldOf(row) {
  const id = `f-${row.path}`;
  const draft = drafts.get(row.path);
  let field;
  if (row.kind === "choice") {
    field = createElement("select", "");
    const value = draft === undefined ? row.value : draft;
    row.choices.forEach((each, at) => {
      const option = createElement("option", "", choiceTitle(row, each));
      option.value = String(at);
      option.selected = each === value;
      field.append(option);
    });
  } else {
    field = createElement("input", "");
    field.autocomplete = "off";
    if (row.kind === "bool") {
      field.type = "checkbox";
      field.checked = draft === undefined ? row.value : draft;
    } else if (row.secret) {
      field.type = "password";
      field.autocomplete = "new-password";
      field.placeholder = words.say("owner.new_secret");
      field.disabled = !settings.private;
      field.value = draft || "";
    } else {
      if (row.kind !== "text" && row.kind !== "list") field.inputMode = "decimal";
      field.value = draft === undefined ? written(row, row.value) : draft;
    }
  }
  field.id = id;
  field.setAttribute("aria-describedby", `a-${row.path} e-${row.path}`);
  if (faults.has(row.path)) field.setAttribute("aria-invalid", "true");
  field.addEventListener("input", () => drafts.set(row.path, read(row, field)));
  return field;
}

function written(row, value) {
  return row.kind === "list" ? value.join(", ") : String(value === null ? "" : value);
}

// What stands in a field: a choice and a switch as their value, anything else as text.
function read(row, field) {
  if (row.kind === "choice") return row.choices[Number(field.value)];
  return row.kind === "bool" ? field.checked : field.value;
}

// The typed text as the value to save; what is no number is sent as it is, and refused in words.
function savedValue(row, draft) {
  if (row.kind === "list") return draft.split(",").map((each) => each.trim()).filter(Boolean);
  if (row.kind !== "int" && row.kind !== "float") return draft;
  const number = Number(draft.trim().replace(",", "."));
  return draft.trim() && Number.isFinite(number) ? number : draft;
}

function changedValues(section, isTrial) {
  const values = {};
  for (const row of section.rows) {
    if (isTrial !== (row.way === "trial")) continue;
    const draft = drafts.get(row.path);
    if (draft === undefined || row.way === "file" || (row.secret && !draft)) continue;
    const value = savedValue(row, draft);
    if (row.secret || JSON.stringify(value) !== JSON.stringify(row.value)) values[row.key] = value;
  }
  return values;
}

function rowElement(section, row) {
  const told = createElement("p", "about", about(row));
  told.id = `a-${row.path}`;
  const fault = createElement("p", "fault", faults.get(row.path) || "");
  fault.id = `e-${row.path}`;
  fault.lang = "en"; // the reader of the configuration speaks English
  const waits = row.path in settings.waiting ? settings.waiting[row.path] : undefined;
  const waiting = createElement("p", "waiting", waits === undefined ? "" : words.say("owner.waiting", { value: shown(row, waits === null ? row.default : waits) }));
  const newer = createElement("p", "fresh", fresh.has(row.path) ? words.say("owner.changed") : "");
  if (row.way === "file") {
    const value = createElement("p", "", Array.isArray(row.value) ? row.value.join("; ") || words.say("owner.none") : shown(row, row.value));
    return createElement("div", "field", createElement("p", "fixed", meaning(row)), value, told, newer);
  }
  const label = createElement("label", "", meaning(row));
  label.htmlFor = `f-${row.path}`;
  return createElement("div", "field", label, fieldOf(row), told, waiting, fault, newer, backButton(section, row));
}

// Only what this page or the box has set is taken back; a secret over a private connection alone.
function backButton(section, row) {
  const own = Object.keys(OWN_LAYERS).some((layer) => layer in row.layers && OWN_LAYERS[layer].split(" ").includes(row.way));
  if (!own || (row.secret && !settings.private)) return null;
  const button = createElement("button", "back", words.say("owner.back"));
  button.type = "button";
  button.id = `b-${row.path}`;
  button.setAttribute("aria-describedby", `a-${row.path}`);
  button.addEventListener("click", () => save(section, {}, [row]));
  return button;
}

function sectionElement(section) {
  const heading = createElement("summary", "", createElement("h2", "", words.say(`owner.section.${section.name}`)));
  heading.id = `s-${section.name}`;
  const reasons = [...new Set(section.rows.map((row) => row.why).filter(Boolean))];
  const tried = section.rows.filter((row) => row.way === "trial");
  const form = createElement(
    "form",
    "fields",
    ...section.rows.filter((row) => row.way !== "trial").map((row) => rowElement(section, row)),
    ...reasons.map((why) => createElement("p", "about", words.say(`owner.why.${why}`))),
  );
  if (section.rows.some((row) => row.secret && row.way !== "file") && !settings.private) {
    form.append(createElement("p", "about", words.say("owner.insecure")));
  }
  if (section.rows.some((row) => !["file", "trial"].includes(row.way))) {
    addSaving(form, "save", section, false);
  }
  const trial = createElement("form", "fields", ...tried.map((row) => rowElement(section, row)));
  if (tried.length) {
    trial.append(createElement("p", "about", words.say("owner.trial_how")));
    addSaving(trial, "try", section, true);
  }
  return foldable(section.name, heading, ...[form, trial].filter((each) => each.children.length));
}

function addSaving(form, word, section, isTrial) {
  const button = createElement("button", "wide strong", words.say(`owner.${word}`));
  button.id = `${word}-${section.name}`;
  form.append(button);
  form.noValidate = true;
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    save(section, changedValues(section, isTrial), []);
  });
}

function foldable(name, heading, ...inside) {
  const details = createElement("details", "card", heading, ...inside);
  details.open = openSections.has(name);
  details.addEventListener("toggle", () => (details.open ? openSections.add(name) : openSections.delete(name)));
  return details;
}

// ---- copies on a USB stick

const COPY_ERRORS = { GAME: "owner.copies.game", BUSY: "notice.backup_wait", STALE: "owner.copies.stale" };

function resultText({ result, games, label }) {
  if (!result) return words.say("owner.copies.lost");
  if (result === "backup_listed") return words.say("owner.copies.listed");
  const key = result === "backup_restored" && games === 1 ? `${result}_one` : result;
  return words.say(`notice.${key}`, { number: games, word: label });
}

function copyText({ name, games }) {
  const day = name.replace(/^truco-/, "").replace(/\.sqlite3$/, "");
  return words.say(games === 1 ? "owner.copies.line_one" : "owner.copies.line", { day, games });
}

function copyButton(id, label, onPress) {
  const button = createElement("button", "", words.say(label));
  button.type = "button";
  button.id = id;
  button.disabled = settings.playing || settings.copies.result === READING;
  button.addEventListener("click", onPress);
  return button;
}

function copyElement(copy) {
  const line = createElement("p", "fixed", copyText(copy));
  if (copy.name !== copyInQuestion) {
    const ask = copyButton(`c-${copy.name}`, "owner.copies.restore", () => askAbout(copy.name, "copy-no"));
    line.id = `n-${copy.name}`;
    ask.setAttribute("aria-describedby", line.id);
    return createElement("div", "field", line, ask);
  }
  const question = createElement("p", "about", words.say("owner.copies.question"));
  question.id = "copy-question";
  const yes = copyButton("copy-yes", "owner.copies.yes", () => sendCopies("restore", { name: copy.name }));
  const no = copyButton("copy-no", "owner.copies.no", () => askAbout("", `c-${copy.name}`));
  no.disabled = false;
  [yes, no].forEach((each) => each.setAttribute("aria-describedby", question.id));
  return createElement("div", "field", line, question, yes, no);
}

// Ask about a copy, or about none; the focus goes to `next`.
function askAbout(name, next) {
  copyInQuestion = name;
  draw();
  byId(next).focus();
}

function copiesElement() {
  const { copies, playing } = settings;
  const heading = createElement("summary", "", createElement("h2", "", words.say("owner.copies.title")));
  heading.id = "s-copies";
  const inside = createElement(
    "div",
    "fields",
    createElement("p", "about", words.say("owner.copies.how")),
    playing ? createElement("p", "waiting", words.say("owner.copies.game")) : null,
    copyButton("copies-look", "owner.copies.look", () => sendCopies("copies", {})),
    copies.result ? createElement("p", "waiting", resultText(copies)) : null,
    ...copies.listed.map(copyElement),
  );
  return foldable("copies", heading, inside);
}

function sendCopies(path, body) {
  if (sending) return;
  sending = true;
  copyInQuestion = "";
  send(`/api/v1/owner/${path}`, body).then((answer) => {
    sending = false;
    if (!answer.owner) {
      sayError(answer, COPY_ERRORS);
      if (answer.error === "UNPAIRED") settings = { owner: false };
      // A lost answer may be that of a copy that is being put back.
      if (answer.error === "UNPAIRED" || answer.error === "SLOW") draw();
      else load(false);
      return;
    }
    settings = answer;
    draw();
    followCopies();
  });
}

// Say how it stands; asked again until the stick is read, and the table has started anew.
function followCopies() {
  say(resultText(settings.copies));
  if (settings.copies.result !== READING) return;
  polls = MAX_COPY_POLLS;
  setTimeout(poll, POLL_MS);
}

// ---- requests

function save(section, values, back) {
  if (sending) return;
  const keys = back.map((row) => row.key);
  if (!Object.keys(values).length && !keys.length) {
    say(words.say("owner.saved"));
    return;
  }
  sending = true;
  faults = new Map();
  fresh = new Set();
  const sent = section.rows.filter((row) => row.key in values || keys.includes(row.key)).map((row) => row.path);
  send("/api/v1/owner/save", { section: section.name, values, back: keys, rev: settings.rev }).then((answer) => {
    sending = false;
    if (answer.owner) {
      sent.forEach((path) => drafts.delete(path));
      trying = section.rows.some((row) => row.way === "trial" && sent.includes(row.path));
      settings = answer;
      draw();
      saySaved(answer.waits);
      return;
    }
    sayError(answer);
    if (answer.error === "STALE") sayStale(answer.last);
    if (answer.error === "UNPAIRED") settings = { owner: false };
    if (answer.error === "VALUE") markFaults(section, answer.problems);
    if (answer.error === "STALE" || answer.error === "GONE") load(true);
    else draw();
    if (answer.error === "VALUE") focusFault();
  });
}

function saySaved(waits) {
  const { saving, restarts, playing } = settings;
  if (saving.status === "saving") {
    say(words.say("owner.saving"));
    polls = trying ? MAX_TRIAL_POLLS : MAX_POLLS;
    setTimeout(poll, POLL_MS);
  } else if (waits) say(words.say("owner.waits"));
  else say(words.say(restarts && playing ? "owner.restarts" : "owner.saved"));
}

// A service that restarts may be this page's own: it is asked again until it answers.
function poll() {
  polls -= 1;
  request("/api/v1/owner")
    .then((answer) => (answer.ok ? answer.json() : Promise.reject(new Error(answer.status))))
    .then((next) => {
      const wasReading = settings.owner && settings.copies.result === READING;
      settings = next;
      const isTried = next.owner && next.trial.section !== "";
      if (isTried) {
        trying = true;
        say(words.say("owner.trial"));
      }
      const isSaving = next.owner && (next.saving.status === "saving" || next.copies.result === READING);
      if ((isSaving || isTried || (next.owner && trying && next.restarts)) && polls > 0) {
        setTimeout(poll, POLL_MS);
        return;
      }
      draw();
      if (!next.owner) return;
      const wasTried = trying && next.saving.status !== "failed" && next.trial.result;
      trying = false;
      if (wasTried) say(words.say(`owner.trial_${next.trial.result}`));
      else if (wasReading) say(resultText(next.copies));
      else if (next.saving.status === "failed") {
        const why = next.saving.problems.join("; ") || words.say("owner.no_service");
        say(words.say("owner.failed", { why }));
      } else saySaved(false);
    })
    .catch(() => {
      if (polls > 0) setTimeout(poll, POLL_MS);
      else say(words.say("owner.gone"));
    });
}

function sayStale(last) {
  if (!last) {
    say(words.say("owner.stale_box"));
    return;
  }
  const what = `${words.say(`owner.section.${last.section}`)}: ${last.keys.join(", ")}`;
  say(words.say("owner.stale", { name: last.name, what }));
}

function markFaults(section, problems) {
  for (const sentence of problems || []) {
    const row = section.rows.find(({ path }) => sentence.startsWith(`${path}:`) || sentence.startsWith(`${path}.`));
    const target = row || section.rows.find((each) => drafts.has(each.path)) || section.rows[0];
    faults.set(target.path, sentence);
  }
}

function focusFault() {
  const [path] = faults.keys();
  const field = path && byId(`f-${path}`);
  if (field) field.focus();
}

// Read all settings; `compare`: mark what somebody else has changed since.
function load(compare) {
  request("/api/v1/owner")
    .then((answer) => (answer.ok ? answer.json() : Promise.reject(new Error(answer.status))))
    .then((next) => {
      if (compare && settings && settings.owner && next.owner) fresh = changedPaths(settings, next);
      settings = next;
      draw();
      if (!next.owner || !next.trial.section) return;
      polls = MAX_TRIAL_POLLS;
      poll();
    })
    .catch(() => setTimeout(() => load(compare), 2000));
}

function changedPaths(before, after) {
  const rowsOf = ({ sections }) => sections.flatMap((section) => section.rows);
  const textOf = (row) => JSON.stringify([row.value, row.layers]);
  const old = new Map(rowsOf(before).map((row) => [row.path, textOf(row)]));
  return new Set(rowsOf(after).filter((row) => old.get(row.path) !== textOf(row)).map((row) => row.path));
}

function pair(event) {
  event.preventDefault();
  if (sending) return;
  sending = true;
  send("/api/v1/owner/pair", { code: byId("code").value, name: byId("name").value }).then((answer) => {
    sending = false;
    byId("code").value = "";
    if (answer.ok) {
      say("");
      load(false);
    } else sayError(answer);
  });
}

function leave() {
  send("/api/v1/owner/leave", {}).then((answer) => {
    if (!answer.ok) {
      sayError(answer);
      return;
    }
    settings = { owner: false };
    drafts = new Map();
    draw();
    say(words.say("owner.left"));
    byId("title").focus();
  });
}

// ---- the page

function draw() {
  if (!words || !settings) return;
  const focused = document.activeElement ? document.activeElement.id : "";
  document.title = words.say("owner.title");
  setText(byId("title"), words.say("owner.title"));
  byId("pair").hidden = settings.owner;
  setText(byId("how"), words.say("owner.how"));
  setText(byId("code-label"), words.say("phone.code"));
  setText(byId("name-label"), words.say("phone.name"));
  setText(byId("connect"), words.say("phone.pair"));
  replaceChildren(byId("sections"), ...(settings.owner ? [...settings.sections.map(sectionElement), copiesElement()] : []));
  const away = createElement("button", "", words.say("owner.leave"));
  away.id = "leave";
  away.addEventListener("click", leave);
  replaceChildren(byId("foot"), ...(settings.owner ? [createElement("span", "name", settings.name), away] : []));
  if (focused && byId(focused)) byId(focused).focus();
  page.dataset.ready = "yes";
}

function applyTheme() {
  const light = window.matchMedia("(prefers-color-scheme: light)").matches;
  const theme = params.get("theme") || page.dataset.theme;
  page.dataset.look = ["dark", "light", "night"].includes(theme) ? theme : light ? "light" : "dark";
}

applyTheme();
byId("pair").addEventListener("submit", pair);
createSpeaker(
  params,
  (next) => {
    words = next;
    draw();
  },
  ".owner",
);
load(false);
