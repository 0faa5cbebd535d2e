/** What an issue is among those of its series. */
export type IssueKind = "issue" | "annual" | "special" | "one-shot" | "collected";
