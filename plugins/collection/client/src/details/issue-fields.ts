import type { IssueDocument } from "@longbox/collection/api";
import { creditLines, creditsFrom, nameList, namesFrom } from "./names.js";

export type IssueField = IssueDocument["locked"][number];
export const issueFields: readonly IssueField[] = ["title", "coverDate", "description", "credits", "characters"];

type Values = Pick<IssueDocument, IssueField>;

/** The fields of the form as texts. */
export function textsOf(issue: Values): Record<IssueField, string> {
  return {
    title: issue.title ?? "",
    coverDate: issue.coverDate ?? "",
    description: issue.description?.trim().replaceAll("\r\n", "\n") ?? "",
    credits: creditLines(issue.credits),
    characters: nameList(issue.characters),
  };
}

/** What the form changes, as the server takes it; an empty field is given back to files and providers. */
export function changesOf(issue: Values, texts: Readonly<Record<IssueField, string>>): Record<string, unknown> {
  const before = textsOf(issue);
  const changed = issueFields.filter((name) => texts[name].trim() !== before[name]);
  return Object.fromEntries(changed.map((name) => [name, valueOf(name, texts[name].trim())]));
}

function valueOf(name: IssueField, text: string): unknown {
  if (text === "") return null;
  if (name === "credits") return creditsFrom(text);
  return name === "characters" ? namesFrom(text) : text;
}
