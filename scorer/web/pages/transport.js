// What the board asks its server for: a stream of events, and documents by path.

// The server has a page for each game, with a code for phones.
export const SHARES_GAMES = true;

// The events of the viewers that `query` names, as an EventSource; null where there is none.
export function openEvents(query) {
  return window.EventSource ? new EventSource(`events?${query}`) : null;
}

export async function load(path) {
  const answer = await fetch(path, { cache: "no-store" });
  if (!answer.ok) throw new Error(answer.status);
  return answer.json();
}
