// What a page does again and again.

import { watchSight } from "./request.js";

// Calls `look`, which returns a promise, again `pace` milliseconds after it has ended, and when the page
// is seen again. Returns the first promise.
export function repeat(look, pace) {
  let timer = 0;
  let newest = 0;
  const run = () => {
    newest += 1;
    const number = newest;
    clearTimeout(timer);
    const next = () => {
      // One that slept may end after a newer one has begun.
      if (number === newest) timer = setTimeout(run, pace);
    };
    const looking = look();
    looking.then(next, (error) => {
      next();
      throw error;
    });
    return looking;
  };
  watchSight((isSeen) => isSeen && run());
  return run();
}
