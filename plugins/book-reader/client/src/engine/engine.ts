import type { Layout } from "@longbox/book-reader/api";
import { View } from "foliate-js/view.js";
import "foliate-js/fixed-layout.js";
import "foliate-js/paginator.js";
import type { Chapter, EngineCalls, OpenedBook, ShownPlace, StoredPlace, Tell } from "../protocol.js";
import { Footnotes } from "./features/footnotes.js";
import { Marks } from "./features/marks.js";
import { ReadAlong } from "./features/read-along.js";
import { searchBook } from "./features/searching.js";
import { Speech } from "./features/speech.js";
import { followAround, followInput } from "./features/input.js";
import { openBook } from "./opening/open-book.js";
import { writeLocator } from "./places/locators.js";
import { findPlace } from "./places/resolving.js";
import { readMetadata } from "./opening/metadata.js";
import { applyLayout, prepareDocument } from "./rendering/layout.js";
import { external, inertCss } from "./rendering/inert.js";
import { setWords } from "./words.js";

/** One book in this frame: opens it, shows it, and tells the page what happens. */
export class Engine {
  readonly #tell: Tell;
  #view: FoliateView | undefined;
  #layout: Layout | undefined;
  #marks: Marks | undefined;
  #speech: Speech | undefined;
  #readAlong: ReadAlong | undefined;
  #footnotes: Footnotes | undefined;
  #search = 0;
  #moved: Promise<unknown> = Promise.resolve();
  /** Where the shown page begins in its section, 0 to 1. */
  #inSection = 0;

  constructor(tell: Tell) {
    this.#tell = tell;
  }

  readonly calls = {
    open: (input: Parameters<EngineCalls["open"]>[0]) => this.#open(input),
    setLayout: (layout: Layout) => this.#setLayout(layout),
    turn: (to: Parameters<EngineCalls["turn"]>[0]) => this.#inOrder(() => this.#turn(to)),
    goToHref: (href: string) => this.#inOrder(async () => (await this.view.goTo(href)) !== undefined),
    goToFinding: (cfi: string) => this.#inOrder(() => this.#goToFinding(cfi)),
    goToFraction: (fraction: number) => this.#inOrder(() => this.view.goToFraction(fraction)),
    goToPlace: (place: StoredPlace) => this.#inOrder(() => this.#goToPlace(place)),
    goBack: () => this.view.history.back(),
    setMarks: (marks: Parameters<EngineCalls["setMarks"]>[0]) => this.#marks?.set(marks),
    search: (query: string) => this.#startSearch(query),
    endSearch: () => void this.#search++,
    clearSelection: () => this.#clearSelection(),
    closeNote: () => this.#footnotes?.close(),
    nextSentence: (from: Parameters<EngineCalls["nextSentence"]>[0]) => this.#speech?.next(from),
    endSpeech: () => this.#speech?.end(),
    readAlong: (...input: Parameters<EngineCalls["readAlong"]>) => this.#readAlong?.run(...input),
    focus: () => this.#focus(),
  };

  get view(): FoliateView {
    if (this.#view === undefined) throw new Error("No book is open.");
    return this.#view;
  }

  async #open({ file, name, layout, place, words }: Parameters<EngineCalls["open"]>[0]): Promise<OpenedBook> {
    setWords(words);
    const book = await openBook(file, name);
    book.transformTarget?.addEventListener("data", (event) => cleanStylesheet((event as CustomEvent).detail));
    const view = new View();
    this.#view = view;
    this.#layout = layout;
    document.body.replaceChildren(view);
    followAround({ document, tell: this.#tell, isScrolled: () => this.#isScrolled() });
    this.#listen(view);
    await view.open(book);
    // The view tells where a page ends, which differs between large and small windows that show the same place.
    view.renderer.addEventListener(
      "relocate",
      (event) => (this.#inSection = (event as CustomEvent<{ fraction: number }>).detail.fraction),
      { capture: true },
    );
    applyLayout(view, layout);
    this.#equip(view);
    const opened = { ...readMetadata(book), fixedLayout: view.isFixedLayout, chapters: chaptersOf(book.toc ?? []) };
    // The page knows what the book is before its text is laid out.
    await this.#begin(place);
    return opened;
  }

  #equip(view: FoliateView): void {
    this.#marks = new Marks(view, this.#tell);
    this.#speech = new Speech(view);
    this.#readAlong = new ReadAlong(view, this.#tell);
    this.#footnotes = new Footnotes(view, this.#tell, () => this.#layout);
  }

  #listen(view: FoliateView): void {
    view.addEventListener("load", (event) => {
      const { doc, index } = (event as CustomEvent<{ doc: Document; index: number }>).detail;
      prepareDocument(doc, view, index);
      followInput({
        ...{ document: doc, index, view, tell: this.#tell, isScrolled: () => this.#isScrolled() },
        locator: (range) => this.#locatorOf(range, index),
      });
    });
    view.addEventListener("relocate", (event) => this.#shown((event as CustomEvent<FoliateLocation>).detail));
    view.addEventListener("external-link", (event) => {
      event.preventDefault();
      const { href } = (event as CustomEvent<{ href: string }>).detail;
      if (href.startsWith(external))
        this.#tell("externalLink", { href: decodeURIComponent(href.slice(external.length)) });
    });
  }

  async #begin(place: StoredPlace | undefined): Promise<void> {
    if (place !== undefined) await this.#goToPlace(place);
    if (this.view.lastLocation) return;
    const first = this.view.book.sections.findIndex(({ linear }) => linear !== "no");
    await this.view.goTo(Math.max(0, first));
  }

  async #goToPlace(stored: StoredPlace): Promise<void> {
    const { cfi, fraction } = await findPlace(this.view, stored);
    if (cfi !== undefined) await this.view.goTo(cfi);
    else await this.view.goToFraction(fraction);
  }

  async #goToFinding(cfi: string): Promise<void> {
    const target = await this.view.goTo(cfi);
    if (target !== undefined) this.#marks?.showFinding(target);
  }

  #isScrolled(): boolean {
    return this.view.renderer.getAttribute("flow") === "scrolled";
  }

  async #turn(to: Parameters<EngineCalls["turn"]>[0]): Promise<void> {
    const turns = { next: "next", previous: "prev", left: "goLeft", right: "goRight" } as const;
    await this.view[turns[to]]();
  }

  /** The renderer ignores where it should go while it is turning a page. */
  #inOrder<T>(move: () => Promise<T>): Promise<T> {
    const moved = this.#moved.then(move);
    this.#moved = moved.catch(() => undefined);
    return moved;
  }

  #setLayout(layout: Layout): void {
    this.#layout = layout;
    applyLayout(this.view, layout);
  }

  async #startSearch(query: string): Promise<void> {
    const search = ++this.#search;
    await searchBook(this.view, query, {
      found: (part) => this.#tell("found", part),
      isWanted: () => search === this.#search,
    });
  }

  #clearSelection(): void {
    for (const { doc } of this.view.renderer.getContents()) doc.getSelection()?.removeAllRanges();
  }

  #focus(): void {
    // Beside a single page of a fixed layout there is an empty frame.
    const shown = this.view.renderer.getContents().find(({ doc }) => (doc?.body?.childNodes.length ?? 0) > 0);
    shown?.doc.defaultView?.focus();
  }

  #shown(location: FoliateLocation): void {
    this.#tell("shown", this.#placeOf(location));
  }

  #placeOf({ section, location, time, tocItem, cfi, range, reason = "" }: FoliateLocation): ShownPlace {
    const { book, renderer } = this.view;
    const total = book.sections.length;
    const index = section?.current ?? renderer.index ?? 0;
    const fraction = this.#fractionOf(index);
    const title = tocItem?.label?.trim() ?? "";
    const pages = Math.max(1, location?.total ?? total);
    return {
      locator: writeLocator({ cfi, href: hrefOf(book, index), title, fraction, range, quoted: false }),
      fraction,
      chapter: title,
      chapterHref: tocItem?.href ?? "",
      page: Math.min(pages - 1, location?.current ?? index),
      pages,
      minutesLeft: Math.round(time?.total ?? 0),
      atEnd: renderer.atEnd ?? index >= total - 1,
      reason,
    };
  }

  /** How much of the book is before the shown page. */
  #fractionOf(index: number): number {
    const starts = this.view.getSectionFractions();
    const count = this.view.book.sections.length;
    const [start = index / count, end = (index + 1) / count] = starts.slice(index, index + 2);
    return Math.max(0, Math.min(1, start + this.#inSection * (end - start)));
  }

  #locatorOf(range: Range, index: number): { readonly locator: string; readonly fraction: number } {
    const { book } = this.view;
    const fraction = this.#fractionOf(index);
    const title = this.view.getProgressOf(index, range).tocItem?.label?.trim() ?? "";
    const cfi = this.view.getCFI(index, range);
    return {
      fraction,
      locator: writeLocator({ cfi, href: hrefOf(book, index), title, fraction, range, quoted: true }),
    };
  }
}

const hrefOf = (book: FoliateBook, index: number) => String(book.sections[index]?.id ?? index);

/**
 * Style sheets of a book become addresses of their own: what they would load from elsewhere is taken out before that.
 */
function cleanStylesheet(detail: { data: unknown; type: string }): void {
  if (detail.type !== "text/css") return;
  detail.data = Promise.resolve(detail.data).then((css) => inertCss(String(css)));
}

function chaptersOf(items: readonly FoliateChapter[]): Chapter[] {
  return items.map(({ label, href, subitems }) => ({
    label: label?.trim() ?? "",
    href: href ?? "",
    children: chaptersOf(subitems ?? []),
  }));
}
