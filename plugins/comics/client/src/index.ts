export { RepeatedPagesPage } from "./repeated-pages-page.js";
