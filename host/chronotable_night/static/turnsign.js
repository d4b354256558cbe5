// @ts-check
/** A tone and a vibration when this phone's seat is asked: the same for every hand and every question. */

import { createTones } from "/static/sound.js";
import { tr } from "/static/language.js";
import { recall, remember } from "/static/table.js";
import { button } from "/static/parts.js";

const KEY = "chronotable-turn-sign";
const VIBRATION_MS = 60;

/** Make the sign, and the switch for who does not want it. */
export function createTurnSign() {
  const isWanted = () => recall(KEY) !== "no";
  const tones = createTones(isWanted);
  let wasDue = false;
  const draw = () => element.setAttribute("aria-pressed", String(isWanted()));
  const press = () => {
    remember(KEY, isWanted() ? "no" : "yes");
    draw();
  };
  const element = button(tr("Sound and vibration at my turn"), press, { class: "plain toggle" });
  draw();
  return {
    element,
    /** Take note of whether the seat is asked. @param {boolean} isDue */
    see(isDue) {
      if (isDue && !wasDue && isWanted()) {
        tones.play("question");
        // a page that nobody has touched yet may not, and the browser would complain
        if (navigator.userActivation?.hasBeenActive) navigator.vibrate?.(VIBRATION_MS);
      }
      wasDue = isDue;
    },
  };
}
