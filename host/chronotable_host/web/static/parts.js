// @ts-check
/** Small parts that several panels are built of. */

import { h } from "./dom.js";
import { tr, trC } from "./language.js";

/**
 * A button with a text.
 * @param {string} text
 * @param {() => void} click
 * @param {Record<string, any>} [more] further attributes
 * @param {...any} children behind the text
 * @returns {HTMLButtonElement}
 */
export function button(text, click, more = {}, ...children) {
  return h("button", { type: "button", on: { click }, ...more }, text, ...children);
}

/** Where one comes from. @param {string} says @param {string} [href] @returns {HTMLAnchorElement} */
export function wayBack(says, href) {
  return h("a", { class: "way-back", title: says, href }, h("span", {}, says));
}

/**
 * A button that turns a switch, with its text; `draw` shows how that is, `turned` is called when somebody turned it.
 * @param {string} text
 * @param {import("./switches.js").Switch} it
 * @param {() => void} [turned]
 */
export function toggle(text, it, turned = () => {}) {
  const element = button(text, () => (it.turn(), draw(), turned()), { class: "plain item", role: "switch" });
  const draw = () => {
    element.setAttribute("aria-checked", String(it.isOn()));
    element.dataset.state = it.isOn() ? trC("a switch", "on") : trC("a switch", "off");
  };
  draw();
  return { element, draw };
}

/**
 * A labelled choice; `set` shows a value, and one that is not among the choices is shown as it is.
 * @param {string} label
 * @param {[string, string][]} options value and text
 * @param {(value: string) => void} change
 */
export function choice(label, options, change) {
  const select = h("select", { on: { change: () => change(select.value) } });
  for (const [value, text] of options) select.append(h("option", { value }, text));
  return {
    element: h("label", { class: "field" }, h("span", {}, label), select),
    select,
    /** @param {string} value */
    set(value) {
      if (select.value === value) return;
      if (![...select.options].some((/** @type {any} */ option) => option.value === value)) {
        select.append(h("option", { value }, value || tr("as the table has it")));
      }
      select.value = value;
    },
  };
}

/**
 * A card that opens and closes.
 * @param {string} title
 * @param {{open?: boolean, id?: string}} how
 * @param {...any} children
 * @returns {any}
 */
export function folder(title, { open = false, id }, ...children) {
  return h(
    "details",
    { class: "card", open, id },
    h("summary", {}, h("h2", {}, title)),
    h("div", { class: "card-body" }, ...children),
  );
}

/**
 * What people can change; all of it is disabled for who has no control.
 * @param {...any} children
 * @returns {any}
 */
export function acting(...children) {
  return h("fieldset", { class: "acting" }, ...children);
}
