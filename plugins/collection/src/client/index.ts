export { issueCard, seriesCard } from "./cards.js";
export { issueLabel } from "./issue-label.js";
