// An active buzzer: it sounds while its pin is on, always at the same pitch.

const PITCH = 2300; // hertz
const LOUD = 0.06; // of what the speaker can
const EDGE = 0.002; // seconds from silence to sound, so that it does not click

export class Buzzer {
  constructor() {
    this.on = true;
    this.context = null;
    this.gain = null;
    this.played = []; // for those who cannot hear: the newest phrases
  }

  // Browsers let a page sound after somebody has touched it, not before.
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

  // `phrase`: pairs of seconds on and off. What was left of the one before is not played.
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

  // Sound, or none.
  turn() {
    this.on = !this.on;
    if (this.gain) {
      this.gain.gain.cancelScheduledValues(0);
      this.gain.gain.value = 0;
    }
    return this.on;
  }
}
