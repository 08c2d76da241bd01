// The labels of a page in one language. Texts about a game are in the report as phrases.

import { request } from "./request.js";

export const WAITING = ["awaiting_envido", "awaiting_flor"];
export const OVER = ["game_over", "match_over"];

// Fetch words and call onWords(words); returns a function that takes the table's language.
export function createSpeaker(params, onWords, list) {
  let current = "";
  const speak = (language) => {
    if (!language || language === current) return;
    current = language;
    request(`words/${encodeURIComponent(language)}${list || ""}.json`)
      .then((answer) => (answer.ok ? answer.json() : Promise.reject(new Error(answer.status))))
      .then((texts) => {
        if (language !== current) return;
        document.documentElement.lang = language;
        onWords(new Words(texts));
      })
      .catch(() => {
        if (language !== current) return;
        current = "";
        setTimeout(() => current || speak(language), 2000);
      });
  };
  speak(document.documentElement.lang);
  return (language) => params.get("lang") || speak(language);
}

export class Words {
  // `texts`: msgid -> sentence with {fields}.
  constructor(texts) {
    this.texts = texts;
  }

  say(key, fields) {
    const text = this.texts[key];
    if (text === undefined) return "";
    return text.replace(/\{(\w+)\}/g, (_, name) => (fields && name in fields ? fields[name] : ""));
  }

  ageText(seconds) {
    const n = Math.floor(seconds);
    if (n < 90) return this.say("web.ago.seconds", { number: n });
    if (n < 5400) return this.say("web.ago.minutes", { number: Math.round(n / 60) });
    return this.say("web.ago.hours", { number: Math.round(n / 3600) });
  }
}
