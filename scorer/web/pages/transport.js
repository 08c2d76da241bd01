// What the board asks its server for: a stream of events, and documents by path.

import { createElement } from "./element.js";
import { request } from "./request.js";

export const GAME_PAGE = "game"; // the page of a game

// The code of a game for phones, as an element; `alt` is read aloud, `onerror` called without one.
export function gameCode(query, alt, onerror) {
  return Object.assign(createElement("img", "qr"), { src: `game.svg?${query}`, alt, onerror });
}

// The events of the viewers that `query` names, as an EventSource; null where there is none.
export function openEvents(query) {
  return window.EventSource ? new EventSource(`events?${query}`) : null;
}

export async function load(path) {
  const answer = await request(path);
  if (!answer.ok) throw new Error(answer.status);
  return answer.json();
}
