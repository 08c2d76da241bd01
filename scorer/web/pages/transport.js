// What the board asks its server for: a stream of events, and documents by path.

import { createElement } from "./element.js";

const HEADERS = { "Content-Type": "application/json", "X-Truco": "1" };

export const GAME_PAGE = "game"; // the page of a game

// The code of a game for phones, as an element; `label` is read aloud, `none` called where there is none.
export function gameCode(query, label, none) {
  const code = createElement("img");
  code.src = `game.svg?${query}`;
  code.alt = label;
  code.onerror = none;
  return code;
}

// The server is there already.
export const prepare = () => Promise.resolve();

// A game to share, of a query, or of a score sheet: {status, document}.
export async function loadGame(query, sheet) {
  const options = sheet === undefined ? {} : { method: "POST", headers: HEADERS, body: JSON.stringify({ sheet }) };
  const answer = await fetch(`api/v1/shared?${query}`, options);
  return { status: answer.status, document: await answer.json() };
}

// The events of the viewers that `query` names, as an EventSource; null where there is none.
export function openEvents(query) {
  return window.EventSource ? new EventSource(`events?${query}`) : null;
}

export async function load(path) {
  const answer = await fetch(path, { cache: "no-store" });
  if (!answer.ok) throw new Error(answer.status);
  return answer.json();
}
