import { engineWords } from "./engine-words.js";
import type { Layout } from "@longbox/book-reader/api";
import type { BookPlace } from "@longbox/books/api";
import type { LongboxClient } from "@longbox/sdk/client";
import type { Box, EngineEvents, Finding, OpenedBook, SelectedText, ShownPlace } from "../protocol.js";
import { beginningFrom, findAudiobook, isAhead, type Audiobook, type FormPlace } from "./audiobook.js";
import { EngineFrame } from "./engine-frame.js";
import { beginningOf, leastAhead, startFetching, type FetchedBook } from "./fetching.js";
import type { FileFetching } from "./fetching-file.js";
import { Highlights } from "./highlights.js";
import { PositionKeeper } from "./position-keeper.js";
import { Speaking } from "./speaking.js";
import { thisDevice } from "./this-device.js";

export interface Search {
  readonly query: string;
  readonly findings: readonly Finding[];
  readonly progress: number;
  readonly done: boolean;
}

interface Host extends FileFetching {
  readonly longbox: LongboxClient;
  readonly cvIssueId: number;
  /** Begin the book again. */
  readonly again: boolean;
  /** Begin where the user is in another form of the work: its internal id. */
  readonly from: number | undefined;
  /** The frame, once it has been loaded. */
  readonly frame: Promise<HTMLIFrameElement>;
  changed(): void;
  listen(): Pick<
    { [K in keyof EngineEvents]: (detail: EngineEvents[K]) => void },
    "tapped" | "key" | "wheel" | "externalLink" | "failed"
  >;
}

/** One book that is being read. */
export class Session {
  shown: ShownPlace | undefined;
  selected: SelectedText | undefined;
  /** The highlight that was tapped. */
  tapped: { readonly id: number; readonly box: Box } | undefined;
  search: Search | undefined;
  /** Another device that is further. */
  further: BookPlace["further"] = null;
  /** The audiobook of the book, once it was looked for. */
  audiobook: Audiobook | undefined;
  /** The place in the audiobook, while it is offered. */
  listened: FormPlace | undefined;
  readAlong = false;
  /** Whether a footnote is shown over the text. */
  hasNote = false;
  layout: Layout;
  readonly fetched: FetchedBook;
  readonly opened: OpenedBook;
  readonly engine: EngineFrame;
  readonly highlights: Highlights;
  readonly speaking: Speaking;
  readonly #keeper: PositionKeeper;
  readonly #releases: (() => void)[] = [];
  /** The user asked for the place where the book begins, so that it counts as a position at once. */
  readonly #isChosen: boolean;
  /** The furthest place on any device that the user was told of, or that the book was opened at. */
  #furthestKnown: number;
  #asked = 0;
  #drawing: Promise<void> | undefined;

  private constructor(
    { fetched, opened, engine, isChosen }: Pick<Session, "fetched" | "opened" | "engine"> & { isChosen: boolean },
    private readonly host: Host,
  ) {
    this.fetched = fetched;
    this.opened = opened;
    this.engine = engine;
    this.layout = fetched.book.layout;
    const { longbox, cvIssueId } = host;
    this.highlights = new Highlights(longbox, cvIssueId, () => this.#drawMarks());
    this.speaking = new Speaking(engine, host.changed);
    this.#isChosen = isChosen;
    this.#furthestKnown = Math.max(fetched.place.fraction, fetched.place.further?.fraction ?? 0);
    this.#keeper = new PositionKeeper(longbox, cvIssueId, { restart: isChosen && fetched.place.completed });
    if (isChosen) this.#keeper.stayHere();
    const domain = longbox.onChanged("ebooks", () => void this.#lookAround());
    this.#releases.push(() => void domain.release());
  }

  /** @throws {Error} with a message for the reader */
  static async open(host: Host): Promise<Session> {
    const fetching = startFetching(host.longbox, host.cvIssueId, host);
    const early: (() => void)[] = [];
    const opening: { session?: Session } = {};
    // The engine shows the book before it says that it is open.
    const during =
      <T extends unknown[]>(run: (session: Session, ...input: T) => void) =>
      (...input: T): void => {
        if (opening.session) run(opening.session, ...input);
        else early.push(() => opening.session && run(opening.session, ...input));
      };
    const starting = EngineFrame.start(host.frame, fetching.scripts, {
      ...host.listen(),
      shown: during((it, place: ShownPlace) => it.#isShown(place)),
      selected: during((it, selected: SelectedText | undefined) =>
        it.#change(() => ([it.selected, it.tapped] = [selected, undefined])),
      ),
      markTapped: during((it, tapped: EngineEvents["markTapped"]) => it.#change(() => (it.tapped = tapped))),
      found: during((it, part: EngineEvents["found"]) => it.#isFound(part)),
      note: during((it, { open }: EngineEvents["note"]) => it.#change(() => (it.hasNote = open))),
      readAlong: during((it, { playing }: EngineEvents["readAlong"]) => it.#change(() => (it.readAlong = playing))),
    });
    const [fetched, engine] = await Promise.all([fetching.book, starting]);
    const { file, book } = fetched;
    const { place, further, isChosen } = await beginning(host, fetched);
    const opened = await engine.call("open", {
      file,
      name: book.title,
      layout: book.layout,
      place,
      words: engineWords,
    });
    const session = new Session({ fetched, opened, engine, isChosen }, host);
    session.further = further;
    opening.session = session;
    for (const run of early) run();
    session.highlights.show(fetched.bookmarks);
    void session.#findAudiobook();
    return session;
  }

  get title(): string {
    return this.fetched.book.title;
  }

  get author(): string {
    return this.fetched.description?.authors.join(", ") ?? this.opened.author;
  }

  /** Shows a layout without keeping it, such as while a slider is moved. */
  async preview(change: Partial<Layout>): Promise<void> {
    this.#change(() => (this.layout = { ...this.layout, ...change }));
    if (this.#drawing) return this.#drawing;
    this.#drawing = this.#drawLayout();
    await this.#drawing;
    this.#drawing = undefined;
  }

  async setLayout(change: Partial<Layout>): Promise<void> {
    await this.preview(change);
    await this.host.longbox.api("/api/book-reader/preferences", { method: "PUT", body: change });
  }

  async setSpeech(change: Partial<Pick<Layout, "speechRate" | "voice">>): Promise<void> {
    await this.setLayout(change);
    this.#prepareSpeech();
    this.speaking.again();
  }

  speak(): void {
    this.#prepareSpeech();
    this.speaking.toggle();
  }

  startSearch(query: string): void {
    this.#change(() => (this.search = { query, findings: [], progress: 0, done: false }));
    void this.engine.call("search", query);
  }

  endSearch(): void {
    this.#change(() => (this.search = undefined));
    void this.engine.call("endSearch");
  }

  async goFurther(): Promise<void> {
    const { further } = this;
    this.#change(() => (this.further = null));
    if (further) await this.engine.call("goToPlace", further);
  }

  stayHere(): void {
    this.#keeper.stayHere();
    if (this.shown) this.#keeper.at(this.shown);
    this.#change(() => (this.further = null));
  }

  async goWhereListened(): Promise<void> {
    const place = this.audiobook?.place;
    this.stayBehindListened();
    if (place) await this.engine.call("goToFraction", place.fraction);
  }

  stayBehindListened(): void {
    this.#change(() => (this.listened = undefined));
  }

  /** Saves the place that is shown, also when another device is further. */
  async keepPlace(): Promise<void> {
    this.stayHere();
    await this.#keeper.flush();
  }

  dismiss(): void {
    this.#change(() => ([this.selected, this.tapped] = [undefined, undefined]));
    void this.engine.call("clearSelection");
  }

  release(): void {
    for (const release of this.#releases) release();
    this.speaking.end();
    void this.#keeper.release();
    this.engine.release();
  }

  /** The newest layout; those that were overtaken are not drawn. */
  async #drawLayout(): Promise<void> {
    let drawn: Layout;
    do {
      drawn = this.layout;
      await this.engine.call("setLayout", drawn);
    } while (drawn !== this.layout);
  }

  #prepareSpeech(): void {
    this.speaking.rate = this.layout.speechRate;
    this.speaking.voice = this.layout.voice;
  }

  #isShown(place: ShownPlace): void {
    const first = this.shown === undefined;
    this.shown = place;
    // Opening a book is no reading, and must not count against a device that is further.
    if (!first || this.#isChosen) this.#keeper.at(place);
    if (this.listened && !isAhead(this.listened, place.fraction)) this.listened = undefined;
    this.host.changed();
  }

  #isFound({ findings, progress, done }: EngineEvents["found"]): void {
    const { search } = this;
    if (search)
      this.#change(() => (this.search = { ...search, findings: [...search.findings, ...findings], progress, done }));
  }

  /** Whether another device has read on meanwhile. */
  async #lookAround(): Promise<void> {
    const asked = ++this.#asked;
    const path = `/api/ebooks/issue/${this.host.cvIssueId}/progress?device=${encodeURIComponent(thisDevice())}`;
    const { further } = await this.host.longbox.api<BookPlace>(path);
    if (asked !== this.#asked || !further) return;
    // A place that was known before is no news when the user turns back.
    const known = Math.max(this.shown?.fraction ?? 0, this.#furthestKnown);
    if (further.fraction < known + leastAhead) return;
    this.#furthestKnown = further.fraction;
    this.#change(() => (this.further = further));
  }

  async #findAudiobook(): Promise<void> {
    const { longbox, from } = this.host;
    try {
      this.audiobook = await findAudiobook(longbox, this.fetched.book);
    } catch (problem) {
      // The book is read without it.
      console.warn("The audiobook of the book was not found.", problem);
    }
    const place = this.audiobook?.place;
    const isOffered = place !== undefined && from === undefined && isAhead(place, this.shown?.fraction ?? 0);
    this.#change(() => (this.listened = isOffered ? place : undefined));
  }

  #drawMarks(): void {
    void this.engine.call("setMarks", this.highlights.marks);
    this.host.changed();
  }

  #change(change: () => void): void {
    change();
    this.host.changed();
  }
}

/** Where to begin: at the start, where the user is in the audiobook, or where the book was left. */
async function beginning(host: Host, fetched: FetchedBook) {
  const { book } = fetched;
  const { longbox, from, again, cvIssueId } = host;
  if (again) return { place: undefined, further: null, isChosen: true };
  const listened = from === undefined ? undefined : await beginningFrom(longbox, book.id, from);
  if (listened) return { place: listened, further: null, isChosen: true };
  return { ...beginningOf(fetched, longbox.user.id, cvIssueId), isChosen: false };
}
