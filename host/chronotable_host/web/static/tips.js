// @ts-check
/** What somebody at this screen knows already, and the tips that are told until then. */

import { recall, remember } from "./table.js";

const TIPS = "chronotable-tips";
const KNOWN = "chronotable-knows-";

/** Whether somebody at this screen does not know the game yet, as far as they told. */
export function wantsTips() {
  return recall(TIPS) !== "no";
}

/** Take note of whether tips are wanted. @param {boolean} are */
export function setTips(are) {
  remember(TIPS, are ? "yes" : "no");
}

/** Make what tells tips to who does not know the game yet: each once, until something else is due. */
export function createTips() {
  let shown = ""; // the one that is told
  /** The first tip that was not told yet, "" where all were. @param {[string, string][]} tips */
  return (tips) => {
    const [id, text] = (wantsTips() && tips.find(([each]) => each === shown || isNew(`tip-${each}`))) || ["", ""];
    if (shown && shown !== id) setKnown(`tip-${shown}`);
    shown = id;
    return text;
  };
}

/** Whether a chapter comes into play for the first time on this screen. @param {string} chapter */
export function isNew(chapter) {
  return recall(KNOWN + chapter) !== "yes";
}

/** Take note that somebody at this screen knows a chapter. @param {string} chapter */
export function setKnown(chapter) {
  remember(KNOWN + chapter, "yes");
}
