import type { Locator, StoredPlace } from "../../protocol.js";

/** Characters kept around a place, to find it again in another edition. */
const contextLength = 40;
const longestQuote = 400;

/** What is known of a stored place; nothing of it may be right. */
export interface ReadPlace {
  readonly cfi: string | undefined;
  readonly fraction: number;
  readonly quote: string | undefined;
  readonly before: string;
  readonly after: string;
}

/** Reads a locator of any program: ours, those of Readium, a bare CFI; of others only the fraction is known. */
export function readPlace({ locator, fraction, text }: StoredPlace): ReadPlace {
  const nothing = { cfi: undefined, fraction, quote: text, before: "", after: "" };
  if (locator.startsWith("epubcfi(")) return { ...nothing, cfi: locator };
  const parsed = parse(locator);
  if (parsed === undefined) return nothing;
  const fragments = parsed.locations?.fragments;
  const cfi = Array.isArray(fragments)
    ? fragments.find((fragment) => typeof fragment === "string" && fragment.startsWith("epubcfi("))
    : undefined;
  const quote = text || string(parsed.text?.highlight);
  return { cfi, fraction, quote, before: string(parsed.text?.before) ?? "", after: string(parsed.text?.after) ?? "" };
}

const string = (value: unknown) => (typeof value === "string" && value !== "" ? value : undefined);

function parse(text: string): Partial<Locator> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? value : undefined;
  } catch {
    // The locator of a program with a notation of its own.
    return undefined;
  }
}

export interface PlaceToStore {
  readonly cfi: string;
  readonly href: string;
  readonly title: string;
  readonly fraction: number;
  readonly range: Range | null;
  /** Whether the text of the range itself is the place, as of a highlight. */
  readonly quoted: boolean;
}

/** Makes the locator of a place. */
export function writeLocator({ cfi, href, title, fraction, range, quoted }: PlaceToStore): string {
  const locator: Locator = {
    href,
    type: "application/xhtml+xml",
    ...(title !== "" && { title: title.slice(0, 100) }),
    locations: { fragments: [cfi], totalProgression: Number(fraction.toFixed(6)) },
    ...(range !== null && { text: context(range, quoted) }),
  };
  return JSON.stringify(locator);
}

/** A shown page is known by how its text begins, a highlight by all of it and what is around it. */
function context(range: Range, quoted: boolean): Locator["text"] {
  const text = plain(range.toString());
  if (!quoted) return { highlight: text.slice(0, contextLength) };
  const whole = range.startContainer.ownerDocument ?? (range.startContainer as Document);
  const around = whole.createRange();
  around.selectNodeContents(whole.body);
  const [before, after] = [around.cloneRange(), around.cloneRange()];
  before.setEnd(range.startContainer, range.startOffset);
  after.setStart(range.endContainer, range.endOffset);
  return {
    before: plain(before.toString().slice(-contextLength * 2)).slice(-contextLength),
    highlight: text.slice(0, longestQuote),
    after: plain(after.toString().slice(0, contextLength * 2)).slice(0, contextLength),
  };
}

/** Runs of space as one: an edition may break its lines elsewhere. */
export function plain(text: string): string {
  return text.replaceAll(/\s+/g, " ");
}
