// @ts-check
/** The links by which guests come to their seats, to be sent or to be read by a phone. */

import { copy, LINK } from "./clipboard.js";
import { fill, h, whenChanged } from "./dom.js";
import { tr } from "./language.js";
import { button } from "./parts.js";
import { note } from "./speak.js";
import { sideName } from "./words.js";

const FOR = /** @type {Record<string, string>} */ ({
  white: tr("QR code of the link for white"),
  black: tr("QR code of the link for black"),
});

/**
 * Make the list of invitations, and how others come in at all; `draw` takes the sides, and how many
 * links there were so far.
 * @param {import("./table.js").Table} table
 */
export function createInvitations(table) {
  const element = h("div", { class: "invitations" });
  let latest = 0;
  const draw = whenChanged(async (/** @type {{sides: string[], count: number, reach: any, isHere: boolean}} */ { sides, reach, isHere }) => {
    const own = ++latest;
    const invitations = sides.length ? await fetched() : {};
    if (own !== latest) return;
    fill(
      element,
      sides.filter((side) => invitations[side]).map((side) => card(side, invitations[side])),
      sides.length && reach ? waysIn(reach, isHere) : null,
    );
  });

  /** @param {{open: boolean, opened: boolean, addresses: number}} reach @param {boolean} isHere */
  function waysIn({ open, opened, addresses }, isHere) {
    const others = addresses > 1 ? button(tr("Another address"), () => table.act("address")) : null;
    const lets = (/** @type {string} */ text, /** @type {string} */ to) => isHere && button(text, () => table.act("open", { to }));
    if (!open) return [h("p", {}, tr("So far links lead here from this computer only.")), lets(tr("Let others in this network in"), "network")];
    return [others, opened && lets(tr("Let nobody else in any more"), "nobody")];
  }

  return { element, draw };
}

/** @returns {Promise<Record<string, {link: string, picture: string}>>} */
async function fetched() {
  try {
    return await (await fetch("/api/invitations", { cache: "no-store" })).json();
  } catch {
    return {}; // the line is lost, which the page says
  }
}

/** @param {string} side @param {{link: string, picture: string}} invitation */
function card(side, { link, picture }) {
  const shown = h("div", {});
  const copied = async () => note(await copy(link, LINK, shown), "news");
  return h(
    "section",
    { class: "invitation", "aria-label": tr("{player}'s invitation", { player: sideName(side) }) },
    h("img", { src: picture, alt: FOR[side], width: 148, height: 148 }),
    h("p", {}, tr("{player} is played by whoever opens this link:", { player: sideName(side) }), " ", h("a", { href: link }, link)),
    button(tr("Copy the link"), copied, { class: "quiet" }),
    shown,
  );
}
