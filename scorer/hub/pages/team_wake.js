// Rings, vibrates and keeps the screen on when the match of a team is called, while its page is open.

const PAUSE = 10000; // milliseconds between two rings
const MOST = 12; // rings for one call
const TONES = [880, 660, 880]; // hertz
const PATTERN = [400, 200, 400, 200, 800]; // milliseconds of vibration and rest

// Elements in `place`; returns what is told the newest call, "" for none.
export function setUpWake(place, say) {
  const button = document.createElement("button");
  button.type = "button";
  const said = document.createElement("p");
  said.setAttribute("role", "alert");
  const note = document.createElement("p");
  note.className = "soft";
  for (const each of [button, said, note]) place.appendChild(each);
  let audio = null;
  let call = "";
  let timer = 0;
  let isOn = false;

  function draw() {
    const isRinging = timer !== 0;
    button.textContent = say(isRinging ? "hub.wake.stop" : isOn ? "hub.wake.end" : "hub.wake.begin");
    said.textContent = isRinging ? say("hub.wake.called") : "";
    const isDark = isOn && !navigator.wakeLock;
    note.textContent = say("hub.wake.limits") + (isDark ? ` ${say("hub.wake.screen")}` : "");
    place.dataset.ringing = isRinging ? "yes" : "";
  }

  function stop() {
    clearTimeout(timer);
    timer = 0;
    draw();
  }

  function ring(left) {
    sound(audio);
    if (navigator.vibrate) navigator.vibrate(PATTERN);
    timer = left > 1 ? setTimeout(() => ring(left - 1), PAUSE) : setTimeout(stop, PAUSE);
    draw();
  }

  button.addEventListener("click", () => {
    if (timer) return stop();
    isOn = !isOn;
    // A browser lets a page sound after a touch; the first ring shows how loud it is.
    if (isOn) {
      const Sound = window.AudioContext || window.webkitAudioContext;
      audio = audio || (Sound ? new Sound() : null);
      sound(audio);
    }
    keepScreen(isOn);
    draw();
  });
  document.addEventListener("visibilitychange", () => keepScreen(isOn));
  draw();

  return (newest) => {
    const isNew = newest && newest !== call;
    call = newest;
    if (!newest && timer) stop();
    if (!isNew || !isOn) return;
    clearTimeout(timer);
    ring(MOST);
  };
}

function sound(audio) {
  if (!audio) return;
  audio.resume();
  TONES.forEach((tone, at) => {
    const source = audio.createOscillator();
    const volume = audio.createGain();
    const begin = audio.currentTime + at * 0.35;
    source.frequency.value = tone;
    volume.gain.setValueAtTime(0.4, begin);
    volume.gain.linearRampToValueAtTime(0, begin + 0.3);
    source.connect(volume);
    volume.connect(audio.destination);
    source.start(begin);
    source.stop(begin + 0.3);
  });
}

let lock = null;

// A browser gives the screen back whenever the page is hidden, and only by HTTPS keeps it on at all.
async function keepScreen(isWanted) {
  if (!navigator.wakeLock) return;
  if (lock && (!isWanted || lock.released)) {
    const old = lock;
    lock = null;
    await old.release();
  }
  if (!isWanted || lock || document.hidden) return;
  lock = await navigator.wakeLock.request("screen").catch(() => null);
}
