export { SeriesDetails } from "./details/series-details.js";
import "./forms.js";
import "./wanted-page.js";
export { IssueDetails } from "./details/issue-details.js";
