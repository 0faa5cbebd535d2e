import { defineLazily } from "./lazy-element.js";

/*
 * Only this module is loaded with every page. The player follows when a book is opened, or when one was open before the
 * document was loaded again.
 */
const load = () => import("./elements/index.js");

defineLazily("audiobooks-bar", "audiobooks-player-bar", {
  load,
  isNeeded: () => sessionStorage.getItem("longbox.audiobooks.open") !== null,
});
defineLazily("audiobooks-page", "audiobooks-player-page", { load, isNeeded: () => true });
defineLazily("audiobooks-save-offline", "audiobooks-player-save", { load, isNeeded: () => true });
