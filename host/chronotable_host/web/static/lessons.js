// @ts-check
/** The card of lessons: each is one click away. */

import { fill, h, whenChanged } from "./dom.js";
import { acting, button, folder } from "./parts.js";

/** @import { Table } from "./table.js" */

/**
 * Make the card; `begun` is called when a lesson was asked for.
 * @param {Table} table
 * @param {() => void} begun
 */
export function createLessons(table, begun) {
  const begin = async (/** @type {number} */ number) => {
    if (await table.act("lesson", { number })) begun();
  };
  const list = h("div", { class: "lessons" });
  const element = folder("", {}, acting(list));
  const draw = whenChanged((/** @type {any} */ learn) => {
    element.hidden = !learn;
    if (!learn) return;
    element.querySelector("h2").textContent = learn.title;
    const one = (/** @type {any} */ { number, title }) => button(title, () => begin(number), { class: "option" });
    fill(list, learn.lessons.map(one));
  });
  return { element, draw: () => draw(table.hello?.learn ?? null) };
}
