// What the page of a game asks its server for.

import { request } from "./request.js";

const HEADERS = { "Content-Type": "application/json", "X-Truco": "1" };

// The server is there already.
export const prepare = () => Promise.resolve();

// A game to share, of a query, or of a score sheet: {status, document}.
export async function loadGame(query, sheet) {
  const options = sheet === undefined ? {} : { method: "POST", headers: HEADERS, body: JSON.stringify({ sheet }) };
  const answer = await request(`api/v1/shared?${query}`, options);
  return { status: answer.status, document: answer.json() };
}
