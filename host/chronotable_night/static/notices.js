// @ts-check
/** What became of the room: each page tells each notice once, one after the other, to who looks. */

const READ_MS = 6000;
const TOLD = "chronotable-night-told"; // the number of the last that this page told; a reload keeps it

/** @param {() => void} redraw called when another one is due, or none */
export function createNotices(redraw) {
  let told = Number(sessionStorage.getItem(TOLD) ?? -1);
  let reading = 0;
  document.addEventListener("visibilitychange", redraw);

  /** @param {number} number */
  function tell(number) {
    told = number;
    sessionStorage.setItem(TOLD, String(told));
  }

  /** Return what is to be read now, "" for nothing. @param {import("./types.js").State} state */
  return function due(state) {
    const latest = state.notices.at(-1)?.[0] ?? 0;
    if (told < 0) tell(latest); // all that was before this page came
    if (told > latest) tell(0); // the room has been opened again
    const [number, says] = state.notices.find(([each]) => each > told) ?? [0, ""];
    if (number && number !== reading && !document.hidden) {
      reading = number;
      setTimeout(() => {
        tell(number);
        redraw();
      }, READ_MS);
    }
    return says;
  };
}
