// Mouse, touches and keys as button edges, down and up.

// `box` contains the buttons (each with data-line); `finger(line, isDown)` is called per edge.
// `keys()` returns the button of each letter, `hold()` the hold time of a capital in seconds.
export function hands(box, finger, keys, hold) {
  const pointers = new Map(); // pointer -> lines
  const letters = new Map(); // key that is down -> {lines, until}
  const count = new Map(); // line -> number of pointers and keys on it

  function put(line) {
    const before = count.get(line) || 0;
    count.set(line, before + 1);
    if (before === 0) tell(line, true);
  }

  function lift(line) {
    const left = (count.get(line) || 0) - 1;
    if (left < 0) return;
    count.set(line, left);
    if (left === 0) tell(line, false);
  }

  function tell(line, isDown) {
    const button = box.querySelector(`[data-line="${line}"]`);
    if (button) button.classList.toggle("down", isDown);
    finger(line, isDown);
  }

  // The same button of the first two consoles; a shared button alone.
  function both(line) {
    const key = line.split(".")[1];
    const there = Object.values(keys());
    return key ? [`A.${key}`, `B.${key}`].filter((each) => there.includes(each)) : [line];
  }

  function letGo() {
    for (const lines of pointers.values()) lines.forEach(lift);
    pointers.clear();
    for (const key of [...letters.keys()]) release(key, true);
  }

  box.addEventListener("pointerdown", (event) => {
    const button = event.target.closest("[data-line]");
    if (!button || event.button !== 0) return;
    // Capture the pointer: it may slide off the button.
    button.setPointerCapture(event.pointerId);
    const line = button.dataset.line;
    const lines = event.altKey ? both(line) : [line];
    pointers.set(event.pointerId, lines);
    lines.forEach(put);
  });
  for (const name of ["pointerup", "pointercancel", "lostpointercapture"]) {
    box.addEventListener(name, (event) => {
      const lines = pointers.get(event.pointerId) || [];
      pointers.delete(event.pointerId);
      lines.forEach(lift);
    });
  }
  box.addEventListener("contextmenu", (event) => event.preventDefault());

  function linesOf(event) {
    const own = event.target.closest && event.target.closest("[data-line]");
    if (own && (event.key === " " || event.key === "Enter")) return [own.dataset.line];
    // Alt changes the letter of some keys: use the physical key instead.
    const place = /^Key([A-Z])$/.exec(event.code);
    const typed = /^[a-z]$/i.test(event.key) ? event.key : place && event.altKey ? place[1] : "";
    const letter = event.key === "Backspace" ? "z" : typed.toLowerCase();
    const line = keys()[letter];
    if (!line) return [];
    return event.altKey ? both(line) : [line];
  }

  function release(key, atOnce) {
    const held = letters.get(key);
    if (!held) return;
    const left = atOnce ? 0 : held.until - performance.now();
    if (left > 0) {
      setTimeout(() => letters.get(key) === held && release(key, true), left);
      return;
    }
    letters.delete(key);
    held.lines.forEach(lift);
  }

  window.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey) return;
    const lines = linesOf(event);
    if (!lines.length) return;
    event.preventDefault();
    // Ignore the auto-repeat of a held key.
    if (event.repeat) return;
    // Its key-up event may have been missed.
    release(event.code, true);
    const until = performance.now() + (event.shiftKey ? 1000 * hold() : 0);
    letters.set(event.code, { lines, until });
    lines.forEach(put);
  });
  window.addEventListener("keyup", (event) => release(event.code, false));
  // Release everything when the page is hidden or loses focus.
  window.addEventListener("blur", letGo);
  window.addEventListener("pagehide", letGo);
  return { letGo };
}
