// @ts-check
/**
 * Who is far away: the invitation as long as nobody has come by it, and a line of chat, which lies
 * beside the list of turns.
 */

import { copy, LINK } from "./clipboard.js";
import { byId, fill, h, whenChanged } from "./dom.js";
import { tr, trC } from "./language.js";
import { button } from "./parts.js";
import { withoutDoubles } from "./socket.js";
import { note } from "./speak.js";

/** @import { Table } from "./table.js" */

const MOST_TYPED = 200;

/** The invitation, which is fetched once: it never changes. */
function invitation() {
  const sheet = h("div", { class: "invite", role: "group", "aria-label": tr("Your invitation") });
  const shown = h("div", { class: "copied" });
  fetch("/api/invitations", { cache: "no-store" })
    .then((answer) => answer.json())
    .then(({ far }) => {
      if (!far) return;
      const copied = async () => note(await copy(far.link, LINK, shown), "news");
      fill(
        sheet,
        h("img", { src: far.picture, alt: tr("QR code of the invitation") }),
        h("div", {}, h("code", {}, far.link), button(tr("Copy the link"), copied), shown),
      );
    })
    .catch(() => {}); // the line is lost, which the page says
  return sheet;
}

/**
 * Make the chat; `said` is the last line that nobody at this screen has seen, null for none.
 * @param {Table} table
 */
export function createChat(table) {
  const root = byId("far");
  const lines = h("ol", { class: "chat", tabindex: "0", "aria-label": tr("Chat") });
  const field = h("input", { type: "text", maxlength: MOST_TYPED, autocomplete: "off", "aria-label": tr("Say something"), placeholder: tr("Say something") });
  const send = async (/** @type {Event} */ event) => {
    event.preventDefault();
    const text = field.value.trim();
    if (!text) return;
    const { ok } = await say("say", { text });
    if (ok && field.value.trim() === text) field.value = "";
  };
  const form = h("form", { class: "chat-form", on: { submit: send } }, field, h("button", { type: "submit" }, tr("Send")));
  const invites = h("div", {});
  fill(root, h("h2", {}, tr("Chat")), invites, lines, form);
  const say = withoutDoubles(async (what, values) => ({ ok: await table.act(what, values) }));
  let seen = -1;

  const last = () => table.view.far?.chat.filter((/** @type {any} */ line) => !line.own).at(-1) ?? null;
  const isSeen = () => root.offsetParent !== null;
  const drawInvitation = whenChanged((/** @type {boolean} */ is) => fill(invites, is ? invitation() : null));
  const drawLines = whenChanged((/** @type {{chat: any[], name: string}} */ { chat, name }) => {
    const row = (/** @type {any} */ { own, text }) => h("li", { class: own ? "own" : "" }, h("b", {}, own ? trC("player", "You") : name), " ", text);
    fill(lines, chat.map(row));
    lines.hidden = !chat.length;
    lines.scrollTop = lines.scrollHeight;
  });

  return {
    draw() {
      const { far } = table.view;
      root.hidden = !far?.chats && !far?.invites;
      if (root.hidden) return;
      drawInvitation(Boolean(far.invites));
      lines.hidden = form.hidden = !far.chats;
      if (!far.chats) return;
      drawLines({ chat: far.chat, name: far.name });
      if (seen < 0 || isSeen()) seen = last()?.no ?? 0;
    },
    /** Have the field under the fingers. */
    focus() {
      seen = last()?.no ?? 0;
      field.focus();
    },
    said() {
      const line = last();
      return table.view.far?.chats && line && line.no > seen && seen >= 0 ? { name: table.view.far.name, text: line.text } : null;
    },
  };
}
