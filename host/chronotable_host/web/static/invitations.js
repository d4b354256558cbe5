// @ts-check
/** The links by which guests come to their seats, to be sent or to be read by a phone. */

import { copy } from "./clipboard.js";
import { fill, h, whenChanged } from "./dom.js";
import { button } from "./parts.js";
import { note } from "./speak.js";
import { capital } from "./words.js";

/** Make the list of invitations; `draw` takes the sides, and how many there ever were. */
export function createInvitations() {
  const element = h("div", { class: "invitations" });
  let latest = 0;
  const draw = whenChanged(async (/** @type {{sides: string[], count: number}} */ { sides }) => {
    const own = ++latest;
    const invitations = sides.length ? await fetched() : {};
    if (own !== latest) return;
    fill(
      element,
      sides.filter((side) => invitations[side]).map((side) => card(side, invitations[side])),
    );
  });
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
  const copied = async () => note(await copy(link, "link", shown), "news");
  return h(
    "section",
    { class: "invitation", "aria-label": `${capital(side)}'s invitation` },
    h("img", { src: picture, alt: `QR code of the link for ${side}`, width: 148, height: 148 }),
    h("p", {}, `${capital(side)} is played by whoever opens this link: `, h("a", { href: link }, link)),
    button("Copy the link", copied, { class: "quiet" }),
    shown,
  );
}
