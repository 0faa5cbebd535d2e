import { SaxesParser } from "saxes";
import { decodeXml } from "./xml-text.js";

/** One element `Page` of ComicInfo.xml. */
export interface ComicInfoPage {
  /** Counted from 0, in reading order. */
  readonly image: number;
  readonly types: readonly string[];
  /** Every attribute as it stands there. */
  readonly attributes: Readonly<Record<string, string>>;
}

/** The elements of ComicInfo.xml as they stand there: names as in the schema, texts trimmed, empty ones left out. */
export interface ComicInfo {
  readonly fields: ReadonlyMap<string, string>;
  readonly pages: readonly ComicInfoPage[];
}

const largestTextLength = 1_000_000;

/**
 * Reads ComicInfo.xml leniently: any order, unknown elements, stray ampersands and a missing end are taken as they
 * come, since many writers are careless. Declarations of entities are never followed.
 * @returns undefined when it is no ComicInfo at all
 */
export function readComicInfo(bytes: Buffer): ComicInfo | undefined {
  const fields = new Map<string, string>();
  const pages: ComicInfoPage[] = [];
  const open: string[] = [];
  let text = "";
  const parser = new SaxesParser({ position: false });
  // The parser goes on after an error, and what it could not make sense of stays text.
  parser.on("error", () => undefined);
  parser.on("opentag", ({ name, attributes }) => {
    open.push(name);
    text = "";
    if (name === "Page" && open.length === 3 && open[1] === "Pages") addPage(pages, attributes as Record<string, string>);
  });
  const addText = (more: string) => {
    if (open.length === 2 && text.length < largestTextLength) text += more;
  };
  parser.on("text", addText);
  parser.on("cdata", addText);
  parser.on("closetag", ({ name }) => {
    const value = text.trim();
    if (open.length === 2 && value !== "" && !fields.has(name)) fields.set(name, value);
    open.pop();
    text = "";
  });
  let isComicInfo = false;
  parser.on("opentagstart", ({ name }) => {
    if (open.length === 0 && name === "ComicInfo") isComicInfo = true;
  });
  parser.write(repaired(decodeXml(bytes))).close();
  return isComicInfo ? { fields, pages } : undefined;
}

/** An ampersand that begins no entity is meant as itself. */
function repaired(text: string): string {
  return text.includes("&") ? text.replace(/&(?!(?:#\d+|#x[0-9A-Fa-f]+|[A-Za-z][A-Za-z0-9]*);)/g, "&amp;") : text;
}

function addPage(pages: ComicInfoPage[], attributes: Record<string, string>): void {
  const image = Number(attributes["Image"]);
  if (!Number.isInteger(image) || image < 0 || pages.length >= 20_000) return;
  pages.push({ image, types: (attributes["Type"] ?? "Story").split(/\s+/).filter((type) => type !== ""), attributes });
}
