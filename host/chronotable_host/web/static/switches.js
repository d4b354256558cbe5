// @ts-check
/** What was chosen on this screen and is kept there, and the tips that are told until somebody knows the game. */

/** What the document hears when somebody has turned a switch: boards may be drawn in another way. */
export const LOOK = "look";
/** Under which name is kept who solves puzzles here. */
export const PUZZLER = "chronotable-puzzler";
/** What was chosen on this screen, where the browser keeps nothing. @type {Map<string, string>} */
const kept = new Map();
/** Whether the boards are turned round on this screen. */
export const turned = createSwitch("turned");
/** Whether spaces have their numbers here, and turns are written as records have them, too. */
export const notation = createSwitch("notation");

function showNotation() {
  document.documentElement.classList.toggle("notated", notation.isOn());
}

/**
 * Make a switch that is kept on this screen: `set` takes note of it, `turn` is for who presses it.
 * @typedef {ReturnType<typeof createSwitch>} Switch
 * @param {string} name @param {boolean} [isOnAtFirst]
 */
export function createSwitch(name, isOnAtFirst = false) {
  const key = `chronotable-${name}`;
  const isOn = () => (recall(key) ?? (isOnAtFirst ? "yes" : "no")) === "yes";
  const set = (/** @type {boolean} */ is) => remember(key, is ? "yes" : "no");
  const turn = () => (set(!isOn()), document.dispatchEvent(new Event(LOOK)));
  return { isOn, set, turn };
}

/** What is kept on this screen under a name, if anything. @param {string} key */
export function recall(key) {
  try {
    return localStorage.getItem(key) ?? kept.get(key);
  } catch {
    return kept.get(key);
  }
}

/** Keep something on this screen. @param {string} key @param {string} value */
export function remember(key, value) {
  kept.set(key, value);
  try {
    localStorage.setItem(key, value);
  } catch {
    // a private window forgets it when it is closed
  }
}

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

document.addEventListener(LOOK, showNotation);
showNotation();
