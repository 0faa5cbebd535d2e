import type { IssueDocument } from "@longbox/collection/api";

export type IssueField = IssueDocument["locked"][number];
export const issueFields: readonly IssueField[] = ["title", "coverDate", "description", "credits", "characters"];

type Values = Pick<IssueDocument, IssueField>;

/** How people are written in the form: a line for each role, such as `Writer: Ada, Bert`. */
export function creditLines(credits: IssueDocument["credits"]): string {
  const byRole = Map.groupBy(credits, ({ role }) => role);
  const line = ([role, of]: [string, IssueDocument["credits"]]) => {
    const people = of.map(({ name }) => name).join(", ");
    return role === "" ? people : `${role}: ${people}`;
  };
  return [...byRole].map(line).join("\n");
}

/** Reads those lines; a line without a role is of a person whose part is not known. */
export function creditsFrom(text: string): IssueDocument["credits"] {
  return text.split("\n").flatMap((line) => {
    const colon = line.indexOf(":");
    const role = line.slice(0, Math.max(0, colon)).trim();
    return namesFrom(line.slice(colon + 1)).map((name) => ({ name, role }));
  });
}

export function namesFrom(text: string): string[] {
  return text
    .split(/[,\n]/)
    .map((name) => name.trim())
    .filter((name) => name !== "");
}

/** The fields of the form as texts. */
export function textsOf(issue: Values): Record<IssueField, string> {
  return {
    title: issue.title ?? "",
    coverDate: issue.coverDate ?? "",
    description: issue.description?.trim().replaceAll("\r\n", "\n") ?? "",
    credits: creditLines(issue.credits),
    characters: issue.characters.join(", "),
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
