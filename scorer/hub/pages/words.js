// What the pages of a hall share: texts in one language.

import { request } from "./request.js";

const AGAIN = 2000; // milliseconds until texts that did not arrive are asked for again

// Resolves to say(key, fields), as soon as the hub answers.
export function fetchWords(path) {
  const ask = () =>
    request(`${path}/${encodeURIComponent(document.documentElement.lang)}.json`)
      .then((answer) => (answer.ok ? answer.json() : Promise.reject(new Error(answer.status))))
      .catch(() => new Promise((resolve) => setTimeout(() => resolve(ask()), AGAIN)));
  return ask().then((texts) => (key, fields = {}) =>
    (texts[key] || "").replace(/\{(\w+)\}/g, (_, name) => (name in fields ? fields[name] : ""))
  );
}

// The code and link of the page where players find their team; shown while there are teams.
export function showFinder(say, hasTeams) {
  document.querySelector("#find span").textContent = say("hub.find");
  document.body.classList.toggle("searchable", hasTeams);
}
