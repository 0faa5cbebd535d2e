export { ContinueReading } from "./home/continue.js";
export { FinishedShelf, LaterShelf, NewShelf, NextUpShelf, StartShelf } from "./home/home-shelf.js";

/** Only the shelves stand on the home page; the rest is loaded where it is shown. */
export const lazyElements = {
  "longbox-reader": () => import("./reader.js"),
  "reader-diary": () => import("./diary/page.js"),
  "reader-opinion": () => import("./opinion/issue-opinion.js"),
  "reader-save-offline": () => import("./offline/save-offline.js"),
};
