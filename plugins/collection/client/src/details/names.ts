// Names of people and characters as one text that is edited, and the way back. A name that would be read as several
// stands in quotes.
import type { IssueDocument } from "@longbox/collection/api";

type Credits = IssueDocument["credits"];

/** What stands between two separators. */
interface Part {
  /** Without the quotes around it. */
  readonly name: string;
  /** As it was typed. */
  readonly typed: string;
  readonly end: string;
}

/** A quote counts where a name begins, and a separator follows its end: `"Weird Al" Yankovic` needs no quotes. */
const part = /[^\S\n]*(?:"((?:[^"]|"")*)"[^\S\n]*(?=[,:\n]|$)|[^,:\n]*)([,:\n]|$)/y;

/** How people are written in the form: a line for each role, such as `Writer: Ada Ames, "Bert Bell, Jr."`. */
export function creditLines(credits: Credits): string {
  const byRole = Map.groupBy(credits, ({ role }) => role);
  const line = ([role, of]: [string, Credits]): string => {
    const people = of.map(({ name }) => inQuotes(name, readsAsPerson(name))).join(", ");
    return role === "" ? people : `${inQuotes(role, readsAsRole(role))}: ${people}`;
  };
  return [...byRole].map(line).join("\n");
}

/** Reads those lines; a line without a role is of a person whose part is not known. */
export function creditsFrom(text: string): Credits {
  return linesOf(text).flatMap((parts) => {
    const colon = parts.findIndex(({ end }) => end === ":");
    const role = joined(parts.slice(0, colon + 1));
    return namesOf(parts.slice(colon + 1)).map((name) => ({ name, role }));
  });
}

export function nameList(names: readonly string[]): string {
  return names.map((name) => inQuotes(name, areSame(namesFrom(followed(name)), [name, '"']))).join(", ");
}

/** Reads names that are separated by commas, or stand on a line each. */
export function namesFrom(text: string): string[] {
  return linesOf(text).flatMap(namesOf);
}

/** Before another name: a quote at its beginning could find its end there. */
const followed = (name: string): string => `${name},"`;

function readsAsPerson(name: string): boolean {
  const read = creditsFrom(followed(name));
  return areSame(
    read.flatMap((one) => [one.role, one.name]),
    ["", name, "", '"'],
  );
}

function readsAsRole(role: string): boolean {
  const [read, ...more] = creditsFrom(`${role}:"`);
  return more.length === 0 && read?.role === role && read.name === '"';
}

function areSame(texts: readonly string[], others: readonly string[]): boolean {
  return texts.length === others.length && texts.every((text, index) => text === others[index]);
}

function inQuotes(name: string, isPlain: boolean): string {
  return isPlain ? name : `"${name.replaceAll('"', '""')}"`;
}

function linesOf(text: string): Part[][] {
  return grouped(partsOf(text), "\n");
}

function namesOf(parts: readonly Part[]): string[] {
  return grouped(parts, ",")
    .map(joined)
    .filter((name) => name !== "");
}

function grouped(parts: readonly Part[], separator: string): Part[][] {
  const groups: Part[][] = [[]];
  for (const one of parts) {
    groups.at(-1)!.push(one);
    if (one.end === separator) groups.push([]);
  }
  return groups;
}

/** One name again, where a separator was no separator: `Batman: Year One` among the characters. */
function joined(parts: readonly Part[]): string {
  if (parts.length === 1) return parts[0]!.name;
  return parts
    .map(({ typed, end }, index) => (index === parts.length - 1 ? typed : typed + end))
    .join("")
    .trim();
}

function partsOf(text: string): Part[] {
  const parts: Part[] = [];
  for (let at = 0; at <= text.length;) {
    part.lastIndex = at;
    const [whole, quoted, end = ""] = part.exec(text)!;
    const typed = whole.slice(0, whole.length - end.length);
    parts.push({ name: quoted?.replaceAll('""', '"') ?? typed.trim(), typed, end });
    if (end === "") break;
    at = part.lastIndex;
  }
  return parts;
}
