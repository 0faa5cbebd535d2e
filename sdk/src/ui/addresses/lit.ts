// What clients get when they import "lit": `clientBuild` puts this module in its place.
export * from "lit";
export { html } from "./addressed-html.js";
