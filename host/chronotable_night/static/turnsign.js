// @ts-check
/** A tone and a vibration when this phone's seat is asked: the same for every hand and every question. */

import { createTones } from "/static/sound.js";
import { tr } from "/static/language.js";
import { createSwitch } from "/static/switches.js";
import { toggle } from "/static/parts.js";

const wanted = createSwitch("turn-sign", true);
const VIBRATION_MS = 60;

/** Make the sign, and the switch for who does not want it. */
export function createTurnSign() {
  const tones = createTones(wanted.isOn);
  let wasDue = false;
  const { element } = toggle(tr("Sound and vibration at my turn"), wanted);
  return {
    element,
    /** Take note of whether the seat is asked. @param {boolean} isDue */
    see(isDue) {
      if (isDue && !wasDue && wanted.isOn()) {
        tones.play("question");
        // a page that nobody has touched yet may not, and the browser would complain
        if (navigator.userActivation?.hasBeenActive) navigator.vibrate?.(VIBRATION_MS);
      }
      wasDue = isDue;
    },
  };
}
