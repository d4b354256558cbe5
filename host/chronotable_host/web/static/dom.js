// @ts-check
/** Making elements, and drawing only what changed. */

const SVG = "http://www.w3.org/2000/svg";

/**
 * @typedef {Record<string, (event: any) => void>} Listeners by event name
 * @typedef {Record<string, any> & {class?: string, on?: Listeners,
 *   vars?: Record<string, string | number>}} Props
 * @typedef {Node | string | number | null | undefined | false} Child
 */

/**
 * Make an HTML element. `on` has listeners by event name, `vars` variables of CSS, all else are
 * attributes; `true` and `false` set and leave out one.
 * @param {string} tag
 * @param {Props} [props]
 * @param {...(Child | Child[])} children
 * @returns {any}
 */
export function h(tag, props = {}, ...children) {
  const element = document.createElement(tag);
  equip(element, props);
  element.append(...keep(children));
  return element;
}

/**
 * Make an SVG element, as `h` makes an HTML one.
 * @param {string} tag
 * @param {Props} [props]
 * @param {...(Child | Child[])} children
 * @returns {any}
 */
export function s(tag, props = {}, ...children) {
  const element = document.createElementNS(SVG, tag);
  equip(element, props);
  element.append(...keep(children));
  return element;
}

/**
 * Put an element's new children in the place of the old.
 * @param {Element} element
 * @param {...(Child | Child[])} children
 */
export function fill(element, ...children) {
  element.replaceChildren(...keep(children));
}

/**
 * Wrap a function that draws a value so that it runs only when the value differs from the last
 * one: what does not change keeps its focus and its scroll position.
 * @template T
 * @param {(value: T) => void} draw
 * @returns {(value: T) => void}
 */
export function whenChanged(draw) {
  let last = "";
  return (value) => {
    const text = JSON.stringify(value) ?? "";
    if (text === last) return;
    last = text;
    draw(value);
  };
}

/**
 * Read an element of the page that must be there.
 * @param {string} id
 * @returns {any}
 */
export function byId(id) {
  const element = document.getElementById(id);
  if (!element) throw new RangeError(`the page has no element ${id}`);
  return element;
}

/**
 * Have a press mean what was there when the finger went down, also where that was drawn anew meanwhile.
 * @param {HTMLElement} root of buttons that come and go
 * @param {AbortSignal} [signal] ends it
 */
export function keepPresses(root, signal) {
  /** @type {HTMLElement | null} */
  let held = null;
  const control = (/** @type {EventTarget | null} */ target) => (target instanceof Element ? /** @type {HTMLElement | null} */ (target.closest("button, a")) : null);
  root.addEventListener("pointerdown", ({ target }) => (held = control(target)), { signal });
  const release = (/** @type {PointerEvent} */ { clientX, clientY }) => {
    if (held && !held.isConnected && root.contains(document.elementFromPoint(clientX, clientY))) held.click();
    held = null;
  };
  document.addEventListener("pointerup", release, { signal });
}

/**
 * Hear keys, unless something else wants them: a field, a shortcut, a button that is pressed with Space.
 * @param {AbortSignal | undefined} signal ends it
 * @param {Record<string, () => unknown>} keys what to do; a key is left to others where that is false
 */
export function hearKeys(signal, keys) {
  const press = (/** @type {KeyboardEvent} */ event) => {
    const { key, target } = event;
    if (event.defaultPrevented || event.altKey || event.ctrlKey || event.metaKey || (event.shiftKey && key !== "?")) return;
    if (key === "Escape" ? document.querySelector("dialog[open]") : target instanceof Element && (target.closest("input, textarea, select") || (key === " " && target.closest("button, a, summary")))) return;
    if (keys[key] && keys[key]() !== false) event.preventDefault();
  };
  document.addEventListener("keydown", press, { signal });
}

/** @param {Element} element @param {Props} props */
function equip(element, props) {
  for (const [name, value] of Object.entries(props)) {
    if (name === "on") listen(element, value);
    else if (name === "vars") setVariables(/** @type {any} */ (element), value);
    else if (value === true) element.setAttribute(name, "");
    else if (value !== false && value != null) element.setAttribute(name, String(value));
  }
}

/** @param {HTMLElement} element @param {Record<string, string | number>} variables */
function setVariables(element, variables) {
  for (const [name, value] of Object.entries(variables)) element.style.setProperty(name, String(value));
}

/** @param {Element} element @param {Listeners} listeners */
function listen(element, listeners) {
  for (const [event, listener] of Object.entries(listeners)) {
    element.addEventListener(event, listener);
  }
}

/** @param {(Child | Child[])[]} children @returns {(Node | string)[]} */
function keep(children) {
  return children
    .flat()
    .filter((child) => child !== null && child !== undefined && child !== false)
    .map((child) => (child instanceof Node ? child : String(child)));
}
