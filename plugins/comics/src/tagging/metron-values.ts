import type { Issue } from "@longbox/collection/contract";

/** Roles of the schema whose names differ from those of providers. */
const otherRoles: ReadonlyArray<readonly [pattern: RegExp, role: string]> = [
  [/^penciler/i, "Penciller"],
  [/^pencil/i, "Penciller"],
  [/^ink/i, "Inker"],
  [/^(?:color|colour)/i, "Colorist"],
  [/^letter/i, "Letterer"],
  [/^cover/i, "Cover"],
  [/^translat/i, "Translator"],
  [/^edit/i, "Editor"],
  [/^design/i, "Designer"],
];

const roles: ReadonlyMap<string, string> = new Map(
  [
    ...["Writer", "Script", "Story", "Plot", "Interviewer", "Artist", "Penciller", "Breakdowns", "Illustrator"],
    ...["Layouts", "Inker", "Embellisher", "Finishes", "Ink Assists", "Colorist", "Color Separations"],
    ...["Color Assists", "Color Flats", "Digital Art Technician", "Gray Tone", "Letterer", "Cover", "Editor"],
    ...["Consulting Editor", "Assistant Editor", "Associate Editor", "Group Editor", "Senior Editor"],
    ...["Managing Editor", "Collection Editor", "Production", "Designer", "Logo Design", "Translator"],
    ...["Supervising Editor", "Executive Editor", "Editor In Chief", "President", "Publisher"],
    ...["Chief Creative Officer", "Executive Producer", "Other"],
  ].map((role) => [role.toLowerCase(), role]),
);

/** The roles of MetronInfo 1.0 for a provider's text such as `penciler, cover`. */
export function metronRoles(text: string): string[] {
  const named = text.split(",").map((part) => part.trim());
  return [...new Set(named.filter((role) => role !== "").map(metronRole))];
}

function metronRole(role: string): string {
  return roles.get(role.toLowerCase()) ?? otherRoles.find(([pattern]) => pattern.test(role))?.[1] ?? "Other";
}

/** What follows is the format of a collected edition, by how its number begins. */
const editions: ReadonlyArray<readonly [pattern: RegExp, format: string]> = [
  [/^HC\b|^Hard/i, "Hardcover"],
  [/^Omnibus\b/i, "Omnibus"],
  [/^(?:GN|OGN)\b/i, "Graphic Novel"],
  [/^TPB\b/i, "Trade Paperback"],
];

/** The format of MetronInfo 1.0; undefined where the schema has none for it. */
export function metronFormat({ kind, number }: Issue): string | undefined {
  if (kind === "annual") return "Annual";
  if (kind === "one-shot") return "One-Shot";
  return kind === "collected" ? editions.find(([pattern]) => pattern.test(number))?.[1] : undefined;
}

/**
 * A date with all its parts. Providers give the first of the month where they know the month alone, and so does the
 * schema, which knows whole dates only; a date without a month is not written.
 */
export function metronDate(date: string | undefined): string | undefined {
  const [, year, month, day] = /^(\d{4})-(\d{2})(?:-(\d{2}))?$/.exec(date ?? "") ?? [];
  if (year === undefined || Number(month) < 1 || Number(month) > 12) return undefined;
  return `${year}-${month}-${day === undefined || day === "00" ? "01" : day}`;
}
