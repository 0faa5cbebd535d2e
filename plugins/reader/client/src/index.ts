export { LongboxReader } from "./reader.js";
export { ReaderDiary } from "./diary/page.js";
export { ReaderHomeShelves } from "./library/home-shelves.js";
