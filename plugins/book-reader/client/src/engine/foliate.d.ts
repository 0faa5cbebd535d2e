/* The parts of foliate-js that are used: it has no types of its own. */

interface FoliateTarget {
  index: number;
  anchor?: (document: Document) => Range | Element | number | null;
}
interface FoliateSection {
  id: unknown;
  linear?: string | null;
  size: number;
  cfi?: string;
  mediaOverlay?: unknown;
  /** Of fixed layout, in a book of flowing text: told by `readMixedLayout`. */
  isFixedPage?: boolean;
  load(): Promise<string | FoliatePage> | string;
  unload?(): void;
  createDocument?(): Promise<Document> | Document;
  resolveHref?(href: string): string;
}
/** A page that is drawn again for every scale. */
interface FoliatePage {
  src: string;
  onZoom(shown: { doc: Document; scale: number }): void;
}
interface FoliateChapter {
  label?: string | null;
  href?: string | null;
  subitems?: FoliateChapter[] | null;
}
interface FoliateMediaOverlay extends EventTarget {
  start(section: number): Promise<void>;
  pause(): void;
  resume(): void;
  stop(): void;
  prev(): void;
  next(): void;
  setRate(rate: number): void;
}
interface FoliateResources {
  readonly spine: readonly { readonly idref: string; readonly properties?: readonly string[] | undefined }[];
  getItemByID(id: string): { readonly href: string } | undefined;
}
interface FoliateBook {
  sections: FoliateSection[];
  dir?: string | null;
  toc?: FoliateChapter[] | null;
  pageList?: FoliateChapter[] | null;
  metadata?: { title?: unknown; author?: unknown; language?: unknown };
  rendition?: { layout?: string; flow?: string; spread?: string; viewport?: unknown };
  transformTarget?: EventTarget;
  media?: { activeClass?: string; playbackActiveClass?: string };
  resolveHref?(href: string): FoliateTarget | null | Promise<FoliateTarget | null>;
  resolveCFI?(cfi: string): FoliateTarget;
  splitTOCHref?(href: string): unknown[] | Promise<unknown[]>;
  getTOCFragment?(document: Document, id: unknown): Node | null;
  isExternal?(href: string): boolean;
  getMediaOverlay?(): FoliateMediaOverlay;
  destroy?(): void;
}
interface FoliateOverlayer {
  add(key: string, range: Range, draw: (...input: unknown[]) => Element, options?: object): void;
  remove(key: string): void;
  hitTest(point: { x: number; y: number }): [string, Range] | [];
}
interface FoliateRenderer extends HTMLElement {
  setStyles?(styles: string | [string, string]): void;
  getContents(): { doc: Document; index?: number; overlayer?: FoliateOverlayer }[];
  goTo(target: FoliateTarget): Promise<void>;
  scrollToAnchor?(anchor: Range, select?: boolean): Promise<void>;
  readonly atEnd?: boolean;
  readonly index?: number;
}
interface FoliateLocation {
  fraction?: number;
  section?: { current: number; total: number };
  location?: { current: number; next: number; total: number };
  time?: { section: number; total: number };
  tocItem?: FoliateChapter | null;
  cfi: string;
  range: Range | null;
  reason?: string;
}
interface FoliateView extends HTMLElement {
  book: FoliateBook;
  renderer: FoliateRenderer;
  isFixedLayout: boolean;
  lastLocation: FoliateLocation | null;
  mediaOverlay?: FoliateMediaOverlay | null;
  history: EventTarget & { back(): void; readonly canGoBack: boolean };
  open(book: FoliateBook): Promise<void>;
  close(): void;
  goTo(target: number | string | { fraction: number }): Promise<FoliateTarget | undefined>;
  goToFraction(fraction: number): Promise<void>;
  goToTextStart(): Promise<unknown>;
  goLeft(): Promise<void>;
  goRight(): Promise<void>;
  next(distance?: number): Promise<void>;
  prev(distance?: number): Promise<void>;
  getCFI(index: number, range?: Range | null): string;
  resolveNavigation(target: unknown): FoliateTarget | undefined;
  getProgressOf(index: number, range?: Range | null): { tocItem?: FoliateChapter | null };
  getSectionFractions(): number[];
  startMediaOverlay(): Promise<void>;
}

declare module "foliate-js/view.js" {
  export const View: { new (): FoliateView };
}
declare module "foliate-js/paginator.js" {}
declare module "foliate-js/fixed-layout.js" {}
declare module "foliate-js/overlayer.js" {
  export const Overlayer: {
    highlight: (...input: unknown[]) => Element;
    outline: (...input: unknown[]) => Element;
    underline: (...input: unknown[]) => Element;
  };
}
declare module "foliate-js/footnotes.js" {
  export class FootnoteHandler extends EventTarget {
    handle(book: FoliateBook, event: Event): Promise<void> | undefined;
  }
}
declare module "foliate-js/epub.js" {
  export class EPUB {
    constructor(loader: {
      loadText(name: string): Promise<string | null>;
      loadBlob(name: string, type?: string): Promise<Blob | null>;
      getSize(name: string): number;
      sha1(text: string): Promise<Uint8Array>;
    });
    init(): Promise<FoliateBook & { readonly resources: FoliateResources }>;
  }
}
declare module "foliate-js/mobi.js" {
  export function isMOBI(file: Blob): Promise<boolean>;
  export class MOBI {
    constructor(tools: { unzlib(data: Uint8Array): Uint8Array });
    open(file: Blob): Promise<FoliateBook>;
  }
}
declare module "foliate-js/fb2.js" {
  export function makeFB2(file: Blob): Promise<FoliateBook>;
}
declare module "foliate-js/text-walker.js" {
  export type MakeRange = (
    ...place: [startIndex: number, startOffset: number, endIndex: number, endOffset: number]
  ) => Range;
  export function textWalker<T>(
    root: Document | Range | DocumentFragment | Element,
    walk: (texts: string[], makeRange: MakeRange) => Iterable<T>,
  ): Generator<T>;
}
