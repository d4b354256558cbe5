// @ts-check
/** A game in a file of its own: a replay that has all it needs, and asks nobody. */

import { byId, fill } from "./dom.js";
import { tr } from "./language.js";
import { wayBack } from "./parts.js";
import { drawStage, stageParts } from "./replaystage.js";
import { createStepping } from "./stepping.js";
import "./theme.js";

/**
 * What the file has: `opens` is the turn that is shown first, `places` are names by sensor, `pieces`
 * the looks that lie anywhere, `home` the page that serves it.
 * @typedef {import("./replaystage.js").Played & {names: string[], opens: number, home: string, places: string[],
 *   pieces: import("./pieces.js").Looks["pieces"]}} Game
 */

document.addEventListener("DOMContentLoaded", () => {
  byId("tools").hidden = false;
  replay(JSON.parse(byId("game").textContent));
});

/** @param {Game} game */
function replay(game) {
  const root = byId("replay");
  const { names, places, pieces, home } = game;
  const looks = { meanings: [], pieces };
  const parts = stageParts(game, { names, places: () => places, looks, addressOf: (turn) => `#${turn}`, back: home ? wayBack(tr("Back to the game"), home) : undefined });
  const stepping = createStepping(root, parts, game.turns.length, (at) => {
    drawStage(parts, game, at);
    remember(at);
  }, [parts.against, parts.opening, parts.turns]);
  const byAddress = () => stepping.go(/^#\d+$/.test(location.hash) ? Number(location.hash.slice(1)) : game.opens);

  document.querySelector(".skip")?.addEventListener("click", (event) => {
    event.preventDefault();
    byId("main").focus();
  });
  window.addEventListener("hashchange", byAddress);
  root.classList.add("playing");
  fill(root, parts.stage, stepping.side);
  root.hidden = false;
  byId("told").hidden = true;
  byAddress();
}

/** Have the address name a turn. @param {number} at */
function remember(at) {
  try {
    history.replaceState(null, "", `#${at}`);
  } catch {
    // a preview, as of letters, has no address of its own, and that is all
  }
}
