// @ts-check
/**
 * The page of the rules: `#rules`, and `#rules/T12`, which goes to one of them. A guest asks for them
 * at the guest's own address, and so does everybody at theirs.
 */

import { ask } from "./answers.js";
import { linked } from "./cited.js";
import { fill, h, whenChanged } from "./dom.js";
import { createEras, still } from "./eras.js";
import { tr } from "./language.js";
import { cameFrom } from "./pages.js";
import { wayBack } from "./parts.js";
import { showView } from "./views.js";

/**
 * What the server tells of the rules: of chapters those that are unlocked.
 * @typedef {{number: string, title: string, text: string}} Rule
 * @typedef {{title: string, rules: Rule[]}} Section
 * @typedef {{title: string, setup: string, sections: Section[]}} Part
 * What a rule comes to on the boards, by its number.
 * @typedef {Record<string, {position: import("./answers.js").Position, says: string,
 *   last: import("./eras.js").Picture["last"]}>} Examples
 */

/** The game in one minute; what has a picture is shown by that of a rule. @type {[string, string][]} */
const IN_A_MINUTE = [
  ["T3", tr("Three boards are three times: past, present and future. In each of them stands a copy of you.")],
  ["", tr("Your focus, the eye, throws light on one board. There one copy acts, twice: a step, or a journey to the same space in the next time. Who goes back leaves a copy behind, so you become more.")],
  ["T18", tr("Who steps on somebody pushes. Against a wall there is no room: that copy is squished.")],
  ["T19", tr("Who is pushed into somebody of the same colour meets himself: a paradox, and both are gone.")],
  ["", tr("Then move your focus to another time. There you act next.")],
  ["T29", tr("Leave the other in one time only, and you have won.")],
];
const MOST_SHOWN = 8; // characters of a number that is none

/**
 * Make the page in `root`. The function that is returned shows it, at the rule of a number or at
 * the top for "", and never rejects: what goes wrong is said on the page.
 * @param {HTMLElement} root
 * @returns {(number: string) => Promise<void>}
 */
function createRules(root) {
  const trouble = h("p", { class: "rules-trouble", role: "alert" });
  const body = h("div");
  const draw = whenChanged((/** @type {{parts: Part[], examples: Examples}} */ { parts, examples }) => {
    fill(body, inAMinute(examples), parts.length > 1 ? contents(parts) : null, parts.map(partOf));
    for (const [number, example] of Object.entries(examples)) document.getElementById(`rule-${number}`)?.append(pictureOf(example));
  });
  const back = wayBack(tr("Back to the game"), "#live");
  fill(root, back, h("h1", { id: "rules-title" }, tr("Rules")), trouble, body);

  return async (number) => {
    const asked = location.hash;
    let why = "";
    back.hidden = cameFrom() !== "#live";
    try {
      draw(await ask("api/rules"));
      if (location.hash === asked && !goTo(body, number.toUpperCase())) {
        why = tr("There is no rule {number} here.", { number: number.slice(0, MOST_SHOWN) });
      }
    } catch (error) {
      why = error instanceof Error ? error.message : String(error);
    }
    fill(trouble, why);
  };
}

/** Show it at the rule of a number, at the top without one. @param {HTMLElement} root @param {string[]} route */
export function showRules(root, [, number = ""]) {
  const make = () => {
    const go = createRules(root);
    go(number);
    return { leave() {}, go };
  };
  return showView(root, "rules", make, number);
}

/** @param {Part[]} parts */
function contents(parts) {
  const links = parts.map(({ title, sections }) => h("a", { href: `#rules/${sections[0].rules[0].number}` }, title));
  return h("nav", { class: "rules-contents", "aria-label": tr("Parts of the rules") }, links);
}

/** The game in six sentences, some of them with a picture. @param {Examples} examples */
export function inAMinute(examples) {
  const steps = IN_A_MINUTE.map(([number, says]) => h("li", {}, examples[number] ? pictureOf({ ...examples[number], says: "" }) : null, h("p", {}, says)));
  return h("section", { class: "card rules-part minute" }, h("h2", {}, tr("The game in one minute")), h("ol", {}, steps));
}

/** @param {Part} part */
function partOf({ title, setup, sections }) {
  return h(
    "section",
    { class: "card rules-part" },
    h("h2", {}, title),
    h("p", { class: "rules-setup" }, setup),
    sections.flatMap(({ title: head, rules }) => [
      h("h3", {}, head),
      h("ul", {}, rules.map(ruleOf)),
    ]),
  );
}

/** @param {Examples[string]} example */
function pictureOf({ position, last, says }) {
  const boards = h("div", { class: "eras", "aria-hidden": "true" });
  createEras(boards, { places: () => [], looks: () => ({ meanings: [], pieces: {} }) }).show(still(position, { south: 0, moods: ["", ""], last, way: null }));
  return h("figure", {}, boards, says ? h("figcaption", {}, says) : null);
}

/** @param {Rule} rule */
function ruleOf({ number, title, text }) {
  return h(
    "li",
    { id: `rule-${number}`, class: "rule", tabindex: "-1" },
    h("span", { class: "rule-number" }, number),
    h("p", {}, h("b", {}, `${title}.`), " ", ...linked(text)),
  );
}

/**
 * Mark the rule of a number and have the keyboard go on from there; "" goes to the top.
 * @param {HTMLElement} body
 * @param {string} number
 * @returns {boolean} whether there is that rule
 */
function goTo(body, number) {
  body.querySelector("[aria-current]")?.removeAttribute("aria-current");
  if (!number) {
    scrollTo(0, 0);
    return true;
  }
  const rule = document.getElementById(`rule-${number}`);
  if (!rule) return false;
  rule.setAttribute("aria-current", "true");
  rule.focus({ preventScroll: true });
  rule.scrollIntoView({ block: "center" });
  return true;
}
