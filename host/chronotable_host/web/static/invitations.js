// @ts-check
/** How a friend comes to the game: a link, to be sent or to be read by a phone, once others get in at all. */

import { copy, LINK } from "./clipboard.js";
import { fill, h, whenChanged } from "./dom.js";
import { copyFigure } from "./figures.js";
import { tr } from "./language.js";
import { acting, button } from "./parts.js";
import { note } from "./speak.js";
import { sideName, SIDES } from "./words.js";

/**
 * Make the cards of the invitations; nothing is shown that works on this computer alone. What `opened`
 * does is done as soon as others can get in.
 * @param {import("./table.js").Table} table
 * @param {() => unknown} [opened]
 */
export function createInvitations(table, opened) {
  const element = h("div", { class: "invitations" });
  let latest = 0;
  const draw = whenChanged(async (/** @type {{sides: string[], count: number, guests: Record<string, string>, reach: any, isHere: boolean, isGoing: boolean}} */ { sides, guests, reach, isHere, isGoing }) => {
    const own = ++latest;
    const isOpen = !reach || reach.open;
    const invitations = sides.length && isOpen ? await fetched() : {};
    if (own !== latest) return;
    const cards = sides.filter((side) => invitations[side]).map((side) => card(side, invitations[side], guests[side] === "here"));
    fill(element, acting(!isOpen ? closed(isHere, reach.why) : sides.length ? [...cards, reach && ways(reach, isHere)] : nobody(isGoing)));
  });
  /** @param {string} text @param {string} to */
  const lets = (text, to, look = "") => button(text, async () => (await table.act("open", { to })) && to === "network" && opened?.(), { class: look });

  /** Nobody is invited yet: the side that no person here plays is the friend's. @param {boolean} isGoing */
  function nobody(isGoing) {
    const side = table.mine()[0] === "black" ? "white" : "black";
    return notice(tr("{player} is not yet a friend’s", { player: sideName(side) }), isGoing ? tr("The game that goes on stays as it is; from now on your friend moves there.") : tr("In a new game your friend moves there."), button(tr("Invite"), () => table.act("sit", { side, who: "guest" }), { class: "primary" }));
  }

  /** @param {boolean} isHere @param {string} [why] nobody can */
  function closed(isHere, why) {
    if (why) return notice(tr("This page is closed to other devices"), why);
    return isHere
      ? notice(tr("This page is closed to other devices"), tr("A link would work on this computer alone."), lets(tr("Open it to my Wi-Fi"), "network", "primary"))
      : notice(tr("This page is closed to other devices"), tr("Who sits at the computer itself can open it."));
  }

  /** @param {{opened: boolean, addresses: number}} reach @param {boolean} isHere */
  function ways({ opened, addresses }, isHere) {
    return h("p", { class: "ways" }, addresses > 1 ? button(tr("Another address"), () => table.act("address")) : null, opened && isHere && lets(tr("Close it to all other devices, guests too"), "nobody"));
  }

  return {
    element,
    draw: () => draw({ sides: SIDES.filter((_, player) => table.seat(player) === "guest"), count: table.view.invitations ?? 0, guests: table.view.guests ?? {}, reach: table.view.reach, isHere: Boolean(table.hello?.here), isGoing: !table.view.game?.over }),
  };
}

/** @param {string} title @param {string} text @param {...any} acts */
function notice(title, text, ...acts) {
  return h("div", { class: "card notice" }, copyFigure(0, "wonders"), h("div", {}, h("h2", {}, title), h("p", {}, text), acts));
}

/** @returns {Promise<Record<string, {link: string, picture: string}>>} */
async function fetched() {
  try {
    return await (await fetch("/api/invitations", { cache: "no-store" })).json();
  } catch {
    return {}; // the line is lost, which the page says
  }
}

/** @param {string} side @param {{link: string, picture: string}} invitation @param {boolean} isTaken */
function card(side, { link, picture }, isTaken) {
  const shown = h("div", {});
  const player = sideName(side);
  const copied = async () => note(await copy(link, LINK, shown), "news");
  const send = () => navigator.share({ url: link }).catch(() => {}); // who thinks better of it sends nothing
  return h(
    "section",
    { class: "card invite", "aria-label": tr("{player}'s invitation", { player }) },
    h("img", { src: picture, alt: tr("QR code of the link for {player}", { player }), width: 300, height: 300 }),
    h(
      "div",
      {},
      h("p", { class: "lead" }, isTaken ? tr("{player}: the guest is here. Who opens this now looks on.", { player }) : tr("Point a phone at this. Whoever opens it is {player}.", { player })),
      h("p", {}, h("a", { href: link }, link)),
      h("p", { class: "ways" }, "share" in navigator ? button(tr("Send the link"), send, { class: "primary" }) : null, button(tr("Copy the link"), copied)),
      shown,
      h("p", { class: "faint" }, tr("It works for everybody in this Wi-Fi until the game ends.")),
    ),
  );
}
