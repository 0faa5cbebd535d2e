export { SaveIssue } from "./offline/save-offline.js";
export { IssueOpinion } from "./opinion/issue-opinion.js";
export { LongboxReader } from "./reader.js";
export { ReaderDiary } from "./diary/page.js";
export { ContinueReading } from "./home/continue.js";
export { FinishedShelf, LaterShelf, NewShelf, NextUpShelf, StartShelf } from "./home/home-shelf.js";
