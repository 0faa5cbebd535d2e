export { PlayerBar } from "./player-bar.js";
export { PlayerPage } from "./player-page.js";
