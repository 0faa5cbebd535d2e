import type { ComicInfo } from "./comic-info.js";

export interface Credit {
  readonly name: string;
  readonly role: string;
}

/** What a file's tags say, in the collection's words. Numbers that cannot be true are left out. */
export interface IssueTags {
  readonly series: string | undefined;
  readonly number: string | undefined;
  readonly volume: number | undefined;
  readonly count: number | undefined;
  readonly title: string | undefined;
  readonly summary: string | undefined;
  readonly publisher: string | undefined;
  readonly year: number | undefined;
  readonly month: number | undefined;
  readonly day: number | undefined;
  readonly format: string | undefined;
  readonly credits: readonly Credit[];
  readonly characters: readonly string[];
  readonly teams: readonly string[];
  readonly locations: readonly string[];
  readonly arcs: readonly string[];
  /** Genres and topics. */
  readonly subjects: readonly string[];
  /** A BCP 47 tag. */
  readonly language: string | undefined;
  /** For whom it is, as the tags say it. */
  readonly ageRating: string | undefined;
  readonly url: string | undefined;
  readonly cvIssueId: number | undefined;
  readonly cvVolumeId: number | undefined;
  readonly rightToLeft: boolean | undefined;
  /** The page that is the front cover, where the tags name one. */
  readonly frontCover: number | undefined;
}

const roles: ReadonlyArray<readonly [element: string, role: string]> = [
  ["Writer", "writer"],
  ["Penciller", "penciller"],
  ["Inker", "inker"],
  ["Colorist", "colorist"],
  ["Letterer", "letterer"],
  ["CoverArtist", "cover"],
  ["Editor", "editor"],
  ["Translator", "translator"],
];

/** Reads the fields of a ComicInfo.xml. */
export function issueTags(info: ComicInfo): IssueTags {
  const { fields, pages } = info;
  const web = (fields.get("Web")?.split(/\s+/) ?? []).filter((url) => /^https?:\/\//i.test(url));
  const notes = fields.get("Notes") ?? "";
  const manga = fields.get("Manga")?.toLowerCase();
  return {
    series: fields.get("Series"),
    number: fields.get("Number"),
    volume: wholeNumber(fields.get("Volume"), 1, 9999),
    count: wholeNumber(fields.get("Count"), 1, 99_999),
    title: fields.get("Title"),
    summary: plainText(fields.get("Summary")),
    publisher: fields.get("Publisher"),
    year: wholeNumber(fields.get("Year"), 1000, 9999),
    month: wholeNumber(fields.get("Month"), 1, 12),
    day: wholeNumber(fields.get("Day"), 1, 31),
    format: fields.get("Format"),
    credits: creditsOf(fields),
    characters: listOf(fields.get("Characters")),
    teams: listOf(fields.get("Teams")),
    locations: listOf(fields.get("Locations")),
    arcs: listOf(fields.get("StoryArc")),
    subjects: listOf(`${fields.get("Genre") ?? ""},${fields.get("Tags") ?? ""}`),
    language: fields.get("LanguageISO"),
    ageRating: ageRatingOf(fields.get("AgeRating")),
    url: web[0],
    cvIssueId:
      idIn(web.join(" "), /\/4000-(\d+)/) ?? idIn(notes, /\[CVDB(\d+)\]/i) ?? idIn(notes, /\bissue id:?\s*(\d+)/i),
    cvVolumeId: idIn(web.join(" "), /\/4050-(\d+)/),
    rightToLeft: manga === undefined || manga === "unknown" ? undefined : manga === "yesandrighttoleft",
    frontCover: pages.find((page) => page.types.includes("FrontCover"))?.image,
  };
}

function creditsOf(fields: ComicInfo["fields"]): Credit[] {
  const credits: Credit[] = [];
  for (const [element, role] of roles) for (const name of listOf(fields.get(element))) credits.push({ name, role });
  return credits;
}

/** What says that nothing is known is no rating. */
export function ageRatingOf(text: string | undefined): string | undefined {
  return text === undefined || /^(?:unknown|rating pending)$/i.test(text) ? undefined : text;
}

function wholeNumber(text: string | undefined, least: number, most: number): number | undefined {
  const number = text !== undefined && /^-?\d+$/.test(text) ? Number(text) : Number.NaN;
  return number >= least && number <= most ? number : undefined;
}

function listOf(text: string | undefined): string[] {
  if (text === undefined || text === "") return [];
  const names: string[] = [];
  for (const part of text.split(",")) {
    const name = part.trim();
    if (name !== "") names.push(name);
  }
  return names.length > 1 ? [...new Set(names)] : names;
}

function idIn(text: string, pattern: RegExp): number | undefined {
  const found = pattern.exec(text);
  return found ? wholeNumber(found[1], 1, 2_000_000_000) : undefined;
}

/** Summaries copied from web pages carry markup; only its words are kept. */
function plainText(text: string | undefined): string | undefined {
  if (text === undefined || !/<[a-z/!]/i.test(text)) return text;
  const words = text
    .replace(/<(?:br|\/p|\/div|\/li|\/h\d)\b[^>]*>/gi, "\n")
    .replace(/<[^>]*>/g, "")
    .replace(/[ \t]+/g, " ")
    .replace(/\s*\n\s*/g, "\n")
    .trim();
  return words === "" ? undefined : words;
}
