// Keep the screen on while the buttons of a phone are shown.
// Browsers have this for encrypted pages only; they release the lock of a hidden page.

let isWanted = false;
let isBusy = false;
let lock = null;

export function keepAwake(on) {
  isWanted = on;
  update();
}

function update() {
  const on = isWanted && !document.hidden;
  if (!navigator.wakeLock || isBusy || on === Boolean(lock)) return;
  isBusy = true;
  const changed = on ? navigator.wakeLock.request("screen").then(hold) : lock.release();
  const done = () => {
    isBusy = false;
  };
  // A refusal (a low battery) is tried again at the next report.
  changed.then(() => {
    done();
    update();
  }, done);
}

function hold(next) {
  lock = next;
  next.addEventListener("release", () => {
    lock = null;
  });
}

document.addEventListener("visibilitychange", update);
