import { readXml, unlessRefused } from "@longbox/sdk/xml";
import { comicInfoOrder } from "./comic-info-order.js";
import { escapeXml } from "./escape-xml.js";

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
  /** The attributes of the root: unknown elements may use the namespaces that it declares. */
  readonly attributes: Readonly<Record<string, string>>;
  readonly fields: ReadonlyMap<string, string>;
  readonly pages: readonly ComicInfoPage[];
  /** Elements that the schema does not know, each as XML, with what is inside them. */
  readonly unknown: readonly string[];
}

/**
 * Reads ComicInfo.xml leniently: any order, unknown elements, stray ampersands and a missing end are taken as they
 * come, since many writers are careless. Declarations of entities are never followed.
 * @returns undefined when it is no ComicInfo at all, or too large, too deep or too broken to be one
 */
export function readComicInfo(bytes: Buffer): ComicInfo | undefined {
  const reading = new ComicInfoReading();
  if (unlessRefused(() => (readXml(bytes, reading), true)) === undefined) return undefined;
  const { root, attributes, fields, pages, unknown } = reading;
  return root === "ComicInfo" ? { attributes, fields, pages, unknown } : undefined;
}

/** More text of unknown elements is not kept: no writer has as much to say. */
const mostUnknown = 256 * 1024;

class ComicInfoReading {
  attributes: Readonly<Record<string, string>> = {};
  readonly fields = new Map<string, string>();
  readonly pages: ComicInfoPage[] = [];
  readonly unknown: string[] = [];
  readonly #open: string[] = [];
  #text = "";
  /** The unknown element that is open. */
  #copied = "";
  #kept = 0;

  get root(): string | undefined {
    return this.#open[0];
  }

  open({ name, attributes, depth }: { name: string; attributes: Record<string, string>; depth: number }): void {
    this.#open[depth] = name;
    if (depth === 0) this.attributes = attributes;
    this.#text = "";
    if (name === "Page" && depth === 2 && this.#open[1] === "Pages") addPage(this.pages, attributes);
    if (depth === 1) this.#copied = "";
    if (this.#isUnknown(depth)) this.#copied += startTag(name, attributes);
  }

  text(more: string, depth: number): void {
    if (depth === 1) this.#text += more;
    if (this.#isUnknown(depth)) this.#copied += escapeXml(more);
  }

  close(name: string, depth: number): void {
    if (this.#isUnknown(depth)) this.#copied += `</${name}>`;
    if (depth === 1) this.#closeField(name);
    this.#text = "";
  }

  #closeField(name: string): void {
    const value = this.#text.trim();
    if (value !== "" && !this.fields.has(name)) this.fields.set(name, value);
    this.#kept += this.#copied.length;
    if (this.#copied !== "" && this.#kept <= mostUnknown) this.unknown.push(this.#copied);
    this.#copied = "";
  }

  #isUnknown(depth: number): boolean {
    return depth >= 1 && this.#kept + this.#copied.length <= mostUnknown && !known.has(this.#open[1]!);
  }
}

const known: ReadonlySet<string> = new Set(comicInfoOrder);

/** The beginning of an element, with its attributes escaped. */
export function startTag(name: string, attributes: Readonly<Record<string, string>>): string {
  const said = Object.entries(attributes).map(([attribute, value]) => ` ${attribute}="${escapeXml(value)}"`);
  return `<${name}${said.join("")}>`;
}

function addPage(pages: ComicInfoPage[], attributes: Record<string, string>): void {
  const image = Number(attributes["Image"]);
  if (!Number.isInteger(image) || image < 0 || pages.length >= 20_000) return;
  pages.push({ image, types: (attributes["Type"] ?? "Story").split(/\s+/).filter((type) => type !== ""), attributes });
}
