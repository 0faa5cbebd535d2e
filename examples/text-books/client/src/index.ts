export { TextBooksPage } from "./page.js";
