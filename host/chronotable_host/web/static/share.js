// @ts-check
/** What of a game can be taken along: files that need nothing else, and a text for a chat. */

import { askText } from "./answers.js";
import { copy } from "./clipboard.js";
import { fill, h } from "./dom.js";
import { tr } from "./language.js";

const TEXT = {
  copied: tr("The text is copied."),
  toCopy: tr("The text, to copy"),
  selected: tr("The text is selected: copy it with Ctrl+C, or by a long touch."),
};
const WIDE = 1600; // pixels of a PNG

/** @param {string} id of a game @param {string} kind @param {number} turn @returns {string} where it is, as something to share */
export function pathOf(id, kind, turn) {
  return `/api/games/${encodeURIComponent(id)}/share?${new URLSearchParams({ kind, turn: String(turn) })}`;
}

/**
 * Make the links and buttons for a game; nothing is sent anywhere, all are files of this computer.
 * @param {string} id
 * @param {() => number} turn the one that is shown
 * @returns {HTMLElement}
 */
export function createShare(id, turn) {
  const said = h("p", { role: "status" });
  const copied = h("div", { class: "copied" });
  const tell = (/** @type {unknown} */ what) => fill(said, what instanceof Error ? what.message : String(what));
  const page = h("a", { class: "button", href: "", download: true }, tr("Save as a page"));
  page.addEventListener("click", () => page.setAttribute("href", pathOf(id, "page", turn())));
  const moving = h("a", { class: "button", href: "", download: true }, tr("Save the turn, moving"));
  // at the start nothing moves: then it is a picture like the others
  moving.addEventListener("click", () => moving.setAttribute("href", pathOf(id, turn() ? "turn" : "picture", turn())));
  const does = (/** @type {string} */ text, /** @type {() => Promise<unknown>} */ act) =>
    h("button", { type: "button", on: { click: () => act().then(tell, tell) } }, text);
  const tools = h(
    "div",
    { class: "tools" },
    page,
    moving,
    does(tr("Save as PNG"), async () => savePng(await askText(pathOf(id, "picture", turn())), `${id}-${turn()}.png`)),
    does(tr("Copy as text"), async () => copy(await askText(pathOf(id, "text", turn())), TEXT, copied)),
  );
  return h("div", { class: "share" }, tools, said, copied);
}

/**
 * Hand a game on as a page that needs nothing else: to who is chosen where devices can do that, else as a file.
 * @param {string} path of that page @param {string} name of the file @returns {Promise<string>} what to say
 */
export async function share(path, name) {
  const file = new File([await askText(path)], `${name}.html`, { type: "text/html" });
  if (navigator.canShare?.({ files: [file] })) return navigator.share({ files: [file] }).then(() => "", () => "");
  const address = URL.createObjectURL(file);
  h("a", { href: address, download: file.name }).click();
  URL.revokeObjectURL(address);
  return tr("Among your downloads: {file}, a page that shows the game and needs nothing else.", { file: file.name });
}

/** @param {string} svg @param {string} name @returns {Promise<string>} what to say */
async function savePng(svg, name) {
  const picture = new Image();
  const address = URL.createObjectURL(new Blob([svg], { type: "image/svg+xml" }));
  try {
    picture.src = address;
    await picture.decode();
    const canvas = document.createElement("canvas");
    canvas.width = WIDE;
    canvas.height = Math.round((WIDE * picture.height) / picture.width);
    canvas.getContext("2d")?.drawImage(picture, 0, 0, canvas.width, canvas.height);
    const link = h("a", { href: canvas.toDataURL("image/png"), download: name });
    link.click();
    return tr("The picture is saved.");
  } finally {
    URL.revokeObjectURL(address);
  }
}
