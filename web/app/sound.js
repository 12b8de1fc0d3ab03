// The sound of a piece that is put down, which is off until it is turned on.

import { setting } from "./db.js";

/** @type {AudioContext | undefined} */
let audio;

export const sound = {
  isOn: setting.get("sound") === "on",

  /** @param {boolean} on */
  turn(on) {
    sound.isOn = on;
    setting.set("sound", on ? "on" : "off");
    if (on) sound.knock();
  },

  /** Sounds like wood on wood. */
  knock() {
    if (!sound.isOn) return;
    audio ??= new AudioContext();
    const [tone, volume] = [audio.createOscillator(), audio.createGain()];
    const now = audio.currentTime;
    tone.frequency.setValueAtTime(420, now);
    tone.frequency.exponentialRampToValueAtTime(110, now + 0.06);
    volume.gain.setValueAtTime(0.25, now);
    volume.gain.exponentialRampToValueAtTime(0.001, now + 0.09);
    tone.connect(volume).connect(audio.destination);
    tone.start(now);
    tone.stop(now + 0.1);
  },
};
