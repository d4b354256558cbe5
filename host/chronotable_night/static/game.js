// @ts-check
/** The page of the game that is played: its modules and its style, fetched once. */

/** A page of a game that draws nothing: its choices are buttons. */
const PLAIN = { field: () => null, hand: () => null, board: () => null };

/** @type {Map<string, Promise<any>>} */
const fetched = new Map();
/** The sheets of each game, which must not reach into another's. @type {Map<string, HTMLLinkElement[]>} */
const styles = new Map();

/**
 * Fetch what a game draws on a kind of page.
 * @param {string} name of the game
 * @param {"phone" | "big" | "sample"} kind
 * @returns {Promise<any>} its module
 */
export function fetchGame(name, kind) {
  const folder = `/games/${encodeURIComponent(name)}`;
  if (!fetched.has(folder)) {
    const dressed = async () => {
      const page = await import(`${folder}/${kind}.js`);
      await Promise.all([...(page.sheets ?? []), `${folder}/style.css`].map((href) => styled(name, href)));
      return page;
    };
    fetched.set(
      folder,
      dressed().catch((error) => {
        console.error(error);
        return PLAIN;
      }),
    );
  }
  return /** @type {Promise<any>} */ (fetched.get(folder));
}

/** Wear the style of a game that has been fetched, and no other's. @param {string} name */
export function wear(name) {
  for (const [each, links] of styles) for (const link of links) link.disabled = each !== name;
}

/** Add a style sheet; without it the page is plain, but it plays. @param {string} name @param {string} href */
function styled(name, href) {
  const link = document.createElement("link");
  link.rel = "stylesheet";
  link.href = href;
  styles.set(name, [...(styles.get(name) ?? []), link]);
  document.head.append(link);
  return new Promise((done) => {
    link.onload = done;
    link.onerror = done;
  });
}
