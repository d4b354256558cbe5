// @ts-check
// Light or dark, before anything is drawn: as the system has it, or as was chosen here. A plain
// script, so that the page never flashes in the wrong one.
(() => {
  const KEY = "chronotable-theme";
  const system = window.matchMedia("(prefers-color-scheme: dark)");
  let chosen = recall();

  function recall() {
    try {
      return localStorage.getItem(KEY) ?? "";
    } catch {
      return "";
    }
  }

  /** @param {string} theme */
  function remember(theme) {
    try {
      localStorage.setItem(KEY, theme);
    } catch {
      // a private window forgets it, and that is all
    }
  }

  function isDark() {
    return chosen ? chosen === "dark" : system.matches;
  }

  function show() {
    Object.assign(document.documentElement.dataset, { theme: isDark() ? "dark" : "light", chosen });
    const button = document.getElementById("theme");
    button?.setAttribute("aria-pressed", String(isDark()));
  }

  /** @param {string} theme "" for the system's */
  function choose(theme) {
    chosen = theme;
    remember(chosen);
    show();
  }

  show();
  system.addEventListener("change", show);
  document.addEventListener("theme", (event) => choose(/** @type {CustomEvent} */ (event).detail));
  document.addEventListener("DOMContentLoaded", () => {
    show();
    document.getElementById("theme")?.addEventListener("click", () => choose(isDark() ? "light" : "dark"));
  });
})();
