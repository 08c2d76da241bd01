// What the page of a game asks the table in another tab for.

export { loadGame, prepare } from "./transport.js";
