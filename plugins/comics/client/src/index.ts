export { RepeatedPagesPage } from "./repeated-pages-page.js";
export { ComicsSamples } from "./samples.js";
