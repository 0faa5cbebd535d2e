export { SaveAudiobook } from "../offline/save-audiobook.js";
