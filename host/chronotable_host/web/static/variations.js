// @ts-check
/** Turns that branch: those of a game, and those that somebody tried in the place of them. */

/**
 * A position, by the turn that led to it; the first one has none. `isPlayed` tells the game's turns
 * from tried ones, `isKept` those that the record has, `worth` is what was found out about it, and
 * `opening` what the record says in front of it.
 * @typedef {{turn: string, told: import("./trying.js").Told | null, no: number,
 *   position: import("./answers.js").Position, over: string | null, isPlayed: boolean, isKept?: boolean,
 *   opening?: string, parent: Branch | null, children: Branch[], worth: import("./worth.js").Worth | null}} Branch
 */

/**
 * The position at which everything begins.
 * @param {import("./answers.js").Position} position
 * @param {string | null} over who has won there
 * @returns {Branch}
 */
export function begun(position, over = null) {
  return { turn: "", told: null, no: 0, position, over, isPlayed: true, parent: null, children: [], worth: null };
}

/**
 * Go on with a turn; the same one is there only once.
 * @param {Branch} from
 * @param {{turn: string, story: import("./trying.js").Told, over: string | null,
 *   position: import("./answers.js").Position}} whole
 * @param {boolean} [isPlayed]
 * @returns {Branch}
 */
export function added(from, { turn, story, position, over }, isPlayed = false) {
  const known = from.children.find((each) => each.turn === turn);
  if (known) return known;
  const branch = { turn, told: story, no: from.no + 1, position, over, isPlayed, parent: from, children: [], worth: null };
  from.children.push(branch);
  return branch;
}

/** Forget a tried turn and what followed it. @param {Branch} branch */
export function cut(branch) {
  const siblings = branch.parent?.children ?? [];
  siblings.splice(siblings.indexOf(branch), 1);
}

/** The branches on the way there, the beginning left out. @param {Branch} branch @returns {Branch[]} */
export function wayTo(branch) {
  const way = [];
  for (let at = branch; at.parent; at = at.parent) way.unshift(at);
  return way;
}

/** The last of the game's positions on the way there. @param {Branch} branch @returns {Branch} */
export function leaving(branch) {
  return branch.isPlayed || !branch.parent ? branch : leaving(branch.parent);
}

/**
 * The turns in the order in which one reads them: each line as far as it goes, and behind a turn
 * those that were tried in its place, as lines of their own.
 * @typedef {{branch: Branch, instead: Row[][]}} Row
 * @param {Branch} from
 * @returns {Row[]}
 */
export function rowsFrom(from) {
  const rows = [];
  for (let at = from; at.children.length; at = at.children[0]) {
    const [first, ...others] = at.children;
    rows.push({ branch: first, instead: others.map((each) => [{ branch: each, instead: [] }, ...rowsFrom(each)]) });
  }
  return rows;
}
