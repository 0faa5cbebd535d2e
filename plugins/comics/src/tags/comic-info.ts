import { readXml, unlessRefused } from "@longbox/sdk/xml";

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

/**
 * Reads ComicInfo.xml leniently: any order, unknown elements, stray ampersands and a missing end are taken as they
 * come, since many writers are careless. Declarations of entities are never followed.
 * @returns undefined when it is no ComicInfo at all, or too large, too deep or too broken to be one
 */
export function readComicInfo(bytes: Buffer): ComicInfo | undefined {
  const fields = new Map<string, string>();
  const pages: ComicInfoPage[] = [];
  const open: string[] = [];
  let text = "";
  const read = () =>
    readXml(bytes, {
      open({ name, attributes, depth }) {
        open[depth] = name;
        text = "";
        if (name === "Page" && depth === 2 && open[1] === "Pages") addPage(pages, attributes);
      },
      text(more, depth) {
        if (depth === 1) text += more;
      },
      close(name, depth) {
        const value = text.trim();
        if (depth === 1 && value !== "" && !fields.has(name)) fields.set(name, value);
        text = "";
      },
    });
  if (unlessRefused(() => (read(), true)) === undefined) return undefined;
  return open[0] === "ComicInfo" ? { fields, pages } : undefined;
}

function addPage(pages: ComicInfoPage[], attributes: Record<string, string>): void {
  const image = Number(attributes["Image"]);
  if (!Number.isInteger(image) || image < 0 || pages.length >= 20_000) return;
  pages.push({ image, types: (attributes["Type"] ?? "Story").split(/\s+/).filter((type) => type !== ""), attributes });
}
