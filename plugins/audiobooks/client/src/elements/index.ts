export { SaveAudiobook } from "../offline/save-audiobook.js";
export { PlayerBar } from "./player-bar.js";
export { PlayerPage } from "./player-page.js";
