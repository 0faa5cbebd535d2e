export { LongboxReader } from "./reader.js";
export { ReaderDiary } from "./diary/page.js";
export { ReaderHomeShelves } from "./library/home-shelves.js";
export { ReaderIssueActions } from "./library/issue-actions.js";
export { ReaderSeriesActions } from "./library/series-actions.js";
