import type { Issue, IssueDetail, Series } from "@longbox/collection/contract";
import type { ComicInfo } from "../tags/comic-info.js";

/** The order that the schema demands (2.0, with what 2.1 adds). */
const order = [
  "Title",
  "Series",
  "Number",
  "Count",
  "Volume",
  "AlternateSeries",
  "AlternateNumber",
  "AlternateCount",
  "Summary",
  "Notes",
  "Year",
  "Month",
  "Day",
  "Writer",
  "Penciller",
  "Inker",
  "Colorist",
  "Letterer",
  "CoverArtist",
  "Editor",
  "Translator",
  "Publisher",
  "Imprint",
  "Genre",
  "Tags",
  "Web",
  "PageCount",
  "LanguageISO",
  "Format",
  "BlackAndWhite",
  "Manga",
  "Characters",
  "Teams",
  "Locations",
  "ScanInformation",
  "StoryArc",
  "StoryArcNumber",
  "SeriesGroup",
  "AgeRating",
  "Pages",
  "CommunityRating",
  "MainCharacterOrTeam",
  "Review",
  "GTIN",
] as const;

/** What the collection calls roles, and the elements that hold them. */
const roleElements: ReadonlyArray<readonly [pattern: RegExp, element: string]> = [
  [/^(writer|script|plot|story)/i, "Writer"],
  [/^(pencil|artist|penciler|breakdowns|illustrat)/i, "Penciller"],
  [/^(ink|finishes|embellish|artist)/i, "Inker"],
  [/^(color|colour)/i, "Colorist"],
  [/^letter/i, "Letterer"],
  [/^cover/i, "CoverArtist"],
  [/^(edit|.*\beditor)/i, "Editor"],
  [/^translat/i, "Translator"],
];

/** The elements that the collection knows better than the file. Undefined ones stay as the file has them. */
export function fieldsOf(
  { series, issue, detail }: { series: Series; issue: Issue; detail: IssueDetail | undefined },
  pages: number,
): ReadonlyMap<string, string | undefined> {
  const [year, month, day] = (issue.coverDate ?? "").split("-").map(Number);
  const fields = new Map<string, string | undefined>([
    ["Title", issue.title],
    ["Series", series.title],
    ["Number", plainNumberOf(issue)],
    ["Volume", series.year?.toString()],
    ["Summary", detail?.description],
    ["Year", year ? String(year) : undefined],
    ["Month", month ? String(month) : undefined],
    ["Day", day ? String(day) : undefined],
    ["Publisher", series.publisher],
    ["Web", webOf(issue, detail)],
    ["PageCount", pages > 0 ? String(pages) : undefined],
    ["Format", formatOf(issue)],
    ["Characters", listed(detail?.characters)],
    ["Teams", listed(detail?.teams)],
    ["Locations", listed(detail?.locations)],
    ["StoryArc", listed(detail?.arcs)],
  ]);
  for (const [, element] of roleElements) fields.set(element, undefined);
  for (const [element, names] of creditsOf(detail)) fields.set(element, listed(names));
  return fields;
}

/** Writes ComicInfo.xml: known values replace those of the file, all others are kept. */
export function comicInfoText(known: ReadonlyMap<string, string | undefined>, former: ComicInfo | undefined): string {
  const fields = new Map(former?.fields);
  fields.delete("Pages");
  for (const [element, value] of known) if (value !== undefined && value !== "") fields.set(element, value);
  const strange = [...fields.keys()].filter((element) => !(order as readonly string[]).includes(element));
  const lines = [...order, ...strange].flatMap((element) =>
    element === "Pages" ? pagesText(former) : elementText(element, fields.get(element)),
  );
  return `<?xml version="1.0" encoding="utf-8"?>\n<ComicInfo>\n${lines.map((line) => `  ${line}\n`).join("")}</ComicInfo>\n`;
}

function elementText(element: string, value: string | undefined): string[] {
  return value === undefined ? [] : [`<${element}>${escaped(value)}</${element}>`];
}

function pagesText(former: ComicInfo | undefined): string[] {
  if (!former || former.pages.length === 0) return [];
  const pages = former.pages.map(
    ({ attributes }) =>
      `    <Page${Object.entries(attributes)
        .map(([name, value]) => ` ${name}="${escaped(value).replaceAll('"', "&quot;")}"`)
        .join("")} />`,
  );
  return [`<Pages>\n${pages.join("\n")}\n  </Pages>`];
}

function creditsOf(detail: IssueDetail | undefined): Map<string, string[]> {
  const credits = new Map<string, string[]>();
  for (const { name, role } of detail?.credits ?? []) {
    for (const one of role.split(",").map((part) => part.trim())) {
      const element = roleElements.find(([pattern]) => pattern.test(one))?.[1];
      if (element && !credits.get(element)?.includes(name))
        credits.set(element, [...(credits.get(element) ?? []), name]);
    }
  }
  return credits;
}

/** Annuals and collected editions carry their kind in `Format`, and their bare number in `Number`. */
function plainNumberOf(issue: Issue): string {
  return issue.kind === "annual" ? issue.number.replace(/^Annual\s*/i, "") || "1" : issue.number;
}

function formatOf(issue: Issue): string | undefined {
  if (issue.kind === "annual") return "Annual";
  if (issue.kind === "one-shot") return "One-Shot";
  return undefined;
}

/** The provider's id has no element of its own: it is in the address. */
function webOf(issue: Issue, detail: IssueDetail | undefined): string | undefined {
  if (detail?.url) return detail.url.replaceAll(" ", "%20");
  return issue.cvIssueId > 0 ? `https://comicvine.gamespot.com/issue/4000-${issue.cvIssueId}/` : undefined;
}

/** Commas separate names, so that a name with one in it loses it. */
function listed(names: readonly string[] | undefined): string | undefined {
  return names && names.length > 0
    ? names.map((name) => name.replaceAll(",", " ").replace(/\s+/g, " ").trim()).join(", ")
    : undefined;
}

function escaped(text: string): string {
  // oxlint-disable-next-line no-control-regex
  return text
    .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, "")
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;");
}
