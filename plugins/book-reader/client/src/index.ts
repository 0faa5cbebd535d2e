export { SaveBook } from "./offline/save-book.js";
export { BookReaderPage } from "./page/book-reader-page.js";
