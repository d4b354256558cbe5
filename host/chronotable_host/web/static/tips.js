// @ts-check
/** What somebody at this screen knows already, and the tips that are told until then. */

import { createSwitch } from "./table.js";

/** Whether somebody at this screen does not know the game yet, as far as they told. */
export const tips = createSwitch("tips", true);

/** Whether somebody at this screen knows a chapter, or was told a tip. @param {string} what */
export const known = (what) => createSwitch(`knows-${what}`);

/** Whether somebody at this screen has done a lesson. @param {number} number */
export const lessonDone = (number) => known(`lesson-${number}`);

/** Make what tells tips to who does not know the game yet: each once, until something else is due. */
export function createTips() {
  let shown = ""; // the one that is told
  /** The first tip that was not told yet, "" where all were. @param {[string, string][]} all */
  return (all) => {
    const [id, text] = (tips.isOn() && all.find(([each]) => each === shown || !known(`tip-${each}`).isOn())) || ["", ""];
    if (shown && shown !== id) known(`tip-${shown}`).set(true);
    shown = id;
    return text;
  };
}
