export { issueCard, seriesCard } from "./cards.js";
export { gapsOf } from "./gaps.js";
export { issueLabel } from "./issue-label.js";
export { issueNames, type IssueNames } from "./issue-names.js";
