// @ts-check
/** What there is to learn from: lessons, what marks mean, the rules, help. */

import { fill, h } from "./dom.js";
import { isMark, markFigure } from "./figures.js";
import { tr } from "./language.js";
import { acting, button } from "./parts.js";
import { lessonDone } from "./switches.js";
import { showView } from "./views.js";

/**
 * Show it in `root`.
 * @param {HTMLElement} root
 * @param {string[]} _route
 * @param {import("./archive.js").Context & {table: import("./table.js").Table, lesson: (number: number) => unknown}} context
 */
export async function showPrimer(root, _route, { table, lesson }) {
  await showView(root, "", () => {
    const { learn } = table.hello;
    const lessons = (learn?.lessons ?? []).map((/** @type {{number: number, title: string}} */ { number, title }) => button(lessonDone(number).isOn() ? `${title} ✓` : title, () => lesson(number), { class: "option" }));
    const marks = table.looks().meanings.filter((each) => isMark(each) && each.means);
    const card = (/** @type {string} */ title, /** @type {any[]} */ ...inside) => h("section", { class: "card" }, h("h2", {}, title), inside);
    fill(
      root,
      h(
        "div",
        { class: "narrow" },
        h("h1", { tabindex: "-1" }, tr("Learn")),
        learn && card(learn.offer, h("p", { class: "faint" }, tr("Three minutes each, on the boards.")), acting(lessons)),
        card(tr("What the marks mean"), h("ul", { class: "marks" }, marks.map((each) => h("li", {}, markFigure(each), h("span", {}, each.means))))),
        h("p", { class: "ways" }, h("a", { href: "#rules" }, tr("Rules")), h("a", { href: "help/" }, tr("Help"))),
      ),
    );
    return { leave() {} };
  });
}
