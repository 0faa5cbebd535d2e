export { BookReaderPage } from "./page/book-reader-page.js";
