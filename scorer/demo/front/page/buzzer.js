// An active buzzer: sounds at a fixed pitch while its pin is on.

const PITCH = 2300; // hertz
const LOUD = 0.06; // volume, 0 to 1
const EDGE = 0.002; // seconds of fade in and out, against clicks

export class Buzzer {
  constructor() {
    this.on = true;
    this.context = null;
    this.gain = null;
    this.played = []; // the newest phrases, for tests
  }

  // Browsers allow sound only after a user gesture.
  touched() {
    if (!this.context) {
      this.context = new AudioContext();
      const tone = this.context.createOscillator();
      tone.type = "square";
      tone.frequency.value = PITCH;
      this.gain = this.context.createGain();
      this.gain.gain.value = 0;
      tone.connect(this.gain).connect(this.context.destination);
      tone.start();
    }
    if (this.context.state === "suspended") this.context.resume();
  }

  // `phrase`: pairs of seconds on and off. It replaces an unfinished one.
  play(phrase) {
    this.played = [...this.played, phrase].slice(-8);
    if (!this.context || this.context.state !== "running" || !this.on) return;
    const gain = this.gain.gain;
    let at = this.context.currentTime;
    gain.cancelScheduledValues(at);
    gain.setValueAtTime(0, at);
    for (const [on, off] of phrase) {
      gain.linearRampToValueAtTime(LOUD, at + EDGE);
      gain.setValueAtTime(LOUD, at + on);
      gain.linearRampToValueAtTime(0, at + on + EDGE);
      at += on + off;
      gain.setValueAtTime(0, Math.max(at, this.context.currentTime));
    }
  }

  // Toggles the sound and returns whether it is on.
  turn() {
    this.on = !this.on;
    if (this.gain) {
      this.gain.gain.cancelScheduledValues(0);
      this.gain.gain.value = 0;
    }
    return this.on;
  }
}
