import { UnreadableArchive } from "../unreadable.js";
import type { ZipEntry } from "../zip-directory.js";
import { resolveReference, type EpubFiles } from "./epub-files.js";

/** A file of the manifest. */
export interface ManifestItem {
  /** Its path in the EPUB; undefined when it lies elsewhere. */
  readonly path: string | undefined;
  readonly mediaType: string;
}

/** What the package document says of a comic. */
export interface EpubPackage {
  /** The items of the spine whose layout is fixed, in reading order. */
  readonly spine: readonly ManifestItem[];
  readonly rightToLeft: boolean;
}

interface SpineReference {
  readonly id: string;
  readonly properties: ReadonlySet<string>;
}

const containerPath = "META-INF/container.xml";
const fixed = "pre-paginated";

/** Reads the package document that the container names. @throws {UnreadableArchive} */
export function readPackage(files: EpubFiles): EpubPackage {
  const path = packagePath(files);
  const entry = path === undefined ? undefined : files.find(path);
  if (path === undefined || entry === undefined) throw damaged("it does not say what is in it");
  return new PackageReading(path).read(files, entry);
}

function packagePath(files: EpubFiles): string | undefined {
  const container = files.find(containerPath);
  if (container === undefined) return undefined;
  let path: string | undefined;
  files.read(container, {
    open({ name, attributes }) {
      if (localName(name) === "rootfile") path ??= attributes["full-path"];
    },
  });
  return path;
}

/** One package document while it is read. */
class PackageReading {
  readonly #manifest = new Map<string, ManifestItem>();
  readonly #spine: SpineReference[] = [];
  #isFixed = false;
  #rightToLeft = false;
  /** Whether the text that follows is the layout of the whole package. */
  #inLayout = false;

  constructor(private readonly path: string) {}

  read(files: EpubFiles, entry: ZipEntry): EpubPackage {
    files.read(entry, {
      open: ({ name, attributes }) => this.#open(localName(name), attributes),
      text: (text) => {
        if (this.#inLayout && text.trim() === fixed) this.#isFixed = true;
      },
      close: () => {
        this.#inLayout = false;
      },
    });
    if (this.#spine.length === 0) throw damaged("it does not say in which order it is read");
    const spine = this.#spine.filter(({ properties }) => this.#isFixedItem(properties)).map(({ id }) => this.#item(id));
    if (spine.length === 0)
      throw new UnreadableArchive("unsupported", "The EPUB is a book of flowing text, not a comic.");
    return { spine, rightToLeft: this.#rightToLeft };
  }

  #open(name: string, attributes: Readonly<Record<string, string>>): void {
    if (name === "meta") this.#meta(attributes);
    else if (name === "item") this.#addItem(attributes);
    else if (name === "spine") this.#rightToLeft = attributes["page-progression-direction"] === "rtl";
    else if (name === "itemref") this.#addReference(attributes);
  }

  /** EPUB 3 names the layout as a property, and EPUB 2 for Kindles as `fixed-layout`. */
  #meta({ property, name, content }: Readonly<Record<string, string>>): void {
    if (property === "rendition:layout") this.#inLayout = true;
    if (name === "fixed-layout" && content === "true") this.#isFixed = true;
  }

  #addItem(attributes: Readonly<Record<string, string>>): void {
    const { id, href, "media-type": mediaType = "" } = attributes;
    if (id === undefined || href === undefined) return;
    this.#manifest.set(id, { path: resolveReference(href, this.path), mediaType: mediaType.toLowerCase() });
  }

  #addReference({ idref, properties = "" }: Readonly<Record<string, string>>): void {
    if (idref !== undefined) this.#spine.push({ id: idref, properties: new Set(properties.split(/\s+/u)) });
  }

  /** An item may differ from the whole. */
  #isFixedItem(properties: ReadonlySet<string>): boolean {
    if (properties.has(`rendition:layout-${fixed}`)) return true;
    return this.#isFixed && !properties.has("rendition:layout-reflowable");
  }

  #item(id: string): ManifestItem {
    const item = this.#manifest.get(id);
    if (item === undefined) throw damaged("a page that it names is not in it");
    return item;
  }
}

/** Names of elements come with and without a prefix. */
export function localName(name: string): string {
  return name.slice(name.indexOf(":") + 1);
}

export function damaged(what: string): UnreadableArchive {
  return new UnreadableArchive("damaged", `The EPUB is damaged: ${what}.`);
}
