import type { Issue, IssueDetail, Series } from "@longbox/collection/contract";
import { startTag, type ComicInfo } from "../tags/comic-info.js";
import { comicInfoOrder } from "../tags/comic-info-order.js";
import { escapeXml } from "../tags/escape-xml.js";

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

export interface TaggedIssue {
  readonly series: Series;
  readonly issue: Issue;
  readonly detail: IssueDetail | undefined;
  readonly pages: number;
}

/**
 * The elements that the collection knows better than the file. Undefined ones stay as the file has them.
 * @param former - What the file says so far
 */
export function fieldsOf(
  { series, issue, detail, pages }: TaggedIssue,
  former: ComicInfo | undefined,
): ReadonlyMap<string, string | undefined> {
  const [year, month, day] = dateOf(issue.coverDate, former);
  const fields = new Map<string, string | undefined>([
    ["Title", issue.title],
    ["Series", series.title],
    ["Number", plainNumberOf(issue)],
    ["Volume", volumeOf(series, former)],
    ["Summary", detail?.description],
    ["Year", year],
    ["Month", month],
    ["Day", day],
    ["Publisher", series.publisher],
    ["Web", webOf({ issue, detail }, former)],
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

/** Writes ComicInfo.xml: known values replace those of the file, empty ones remove them, and all others are kept. */
export function comicInfoText(known: ReadonlyMap<string, string | undefined>, former: ComicInfo | undefined): string {
  const fields = new Map(former?.fields);
  fields.delete("Pages");
  for (const [element, value] of known) {
    if (value === "") fields.delete(element);
    else if (value !== undefined) fields.set(element, value);
  }
  const lines = comicInfoOrder.flatMap((element) =>
    element === "Pages" ? pagesText(former) : elementText(element, fields.get(element)),
  );
  const all = [...lines, ...(former?.unknown ?? [])].map((line) => `  ${line}\n`).join("");
  return `<?xml version="1.0" encoding="utf-8"?>\n${startTag("ComicInfo", former?.attributes ?? {})}\n${all}</ComicInfo>\n`;
}

function elementText(element: string, value: string | undefined): string[] {
  return value === undefined ? [] : [`<${element}>${escapeXml(value)}</${element}>`];
}

function pagesText(former: ComicInfo | undefined): string[] {
  if (!former || former.pages.length === 0) return [];
  const pages = former.pages.map(
    ({ attributes }) =>
      `    <Page${Object.entries(attributes)
        .map(([name, value]) => ` ${name}="${escapeXml(value).replaceAll('"', "&quot;")}"`)
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

/** Annuals, specials and collected editions carry their kind in `Format`, and their bare number in `Number`. */
export function plainNumberOf({ number, kind }: Issue): string {
  if (kind === "issue" || kind === "one-shot") return number;
  return number.replace(/^[^\d½¼¾-]+(?=[\d½¼¾-])/u, "").replace(/^(?:Annual|Special)$/i, "1");
}

/** What is read again as the same number: `Vol. 3`, `TPB 3`, `Annual 3`. */
function formatOf({ number, kind }: Issue): string | undefined {
  if (kind === "annual") return "Annual";
  if (kind === "special") return "Special";
  if (kind === "one-shot") return "One-Shot";
  const [edition] = /^\p{L}[^\d]*(?=\s\S*\d)/u.exec(number) ?? [];
  if (kind !== "collected" || edition === undefined) return undefined;
  return edition === "Vol." ? "Volume" : edition;
}

/** A volume's number stays; only a year stands for the year in which the series began. */
function volumeOf({ year }: Series, former: ComicInfo | undefined): string | undefined {
  const volume = Number(former?.fields.get("Volume"));
  return volume >= 1 && volume < 1850 ? undefined : year?.toString();
}

/**
 * What is known of the date, each part as text. Providers give the first of the month where they know the month alone,
 * so that a first is not written; where the file has one in this month, it stays.
 */
function dateOf(coverDate: string | undefined, former: ComicInfo | undefined): ReadonlyArray<string | undefined> {
  const [year, month, day] = (coverDate ?? "").split("-").map(plainNumber);
  if (year === undefined) return [];
  const isSameYear = plainNumber(former?.fields.get("Year")) === year;
  const isSameMonth = isSameYear && (month === undefined || plainNumber(former?.fields.get("Month")) === month);
  const keptMonth = isSameYear ? undefined : "";
  const keptDay = isSameMonth ? undefined : "";
  return [year, month ?? keptMonth, day === undefined || day === "1" ? keptDay : day];
}

const plainNumber = (text: string | undefined) => (Number(text) > 0 ? String(Number(text)) : undefined);

/**
 * The provider's id has no element of its own: it is in the address, which comes first. Addresses of another issue
 * there go.
 */
function webOf(
  { issue, detail }: { readonly issue: Issue; readonly detail: IssueDetail | undefined },
  former: ComicInfo | undefined,
): string | undefined {
  const isMatched = issue.cvIssueId > 0;
  const own = isMatched ? `https://comicvine.gamespot.com/issue/4000-${issue.cvIssueId}/` : undefined;
  const known = detail?.url?.replaceAll(" ", "%20") ?? own;
  const kept = (former?.fields.get("Web") ?? "").split(/\s+/).filter((url) => {
    const [, id] = /\/4000-(\d+)/.exec(url) ?? [];
    return url !== "" && (!isMatched || id === undefined || (id === String(issue.cvIssueId) && !known?.includes(id)));
  });
  return [...new Set([...(known === undefined ? [] : [known]), ...kept])].join(" ") || undefined;
}

/** Commas separate names, so that a name with one in it loses it. */
function listed(names: readonly string[] | undefined): string | undefined {
  return names && names.length > 0
    ? names.map((name) => name.replaceAll(",", " ").replace(/\s+/g, " ").trim()).join(", ")
    : undefined;
}
