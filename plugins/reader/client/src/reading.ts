import { addressOf, t } from "@longbox/sdk/ui";
import type { LongboxClient } from "@longbox/sdk/client";
import type { Choices, ShownMode } from "./chrome/choices.js";
import { PageNotes } from "./page-notes.js";
import { ProgressKeeper } from "./progress-keeper.js";
import type { OpenIssue } from "@longbox/reader/api";
import { modeInWindow } from "./room-for-two.js";
import { wantedPixels } from "./stage/fitting.js";
import { keptWidth, PageImages, pageUrl, type PageAddress } from "./stage/page-images.js";
import { UnsavedPlaces } from "./unsaved-places.js";
import { isPrivate, keepPrivate, ViewChoices } from "./view-choices.js";
import { facingSpreads, singlePages, spreadOf, type Spread } from "./stage/spreads.js";

/** How many pages are loaded in advance. */
const ahead = 4;
/** The next issue is prepared when this many pages are left. */
const nearTheEnd = 2;
/** The ratio of height to width from which a page belongs to a vertical strip. */
const stripAspect = 0.42;

interface Start {
  /** The first page to show, counted from 0; undefined to resume at the saved position. */
  readonly page: number | undefined;
  /** The issue is read again from its beginning. */
  readonly again: boolean;
  readonly changed: () => void;
}

/** The state of an open issue: the position, the view options, and their synchronisation with the server. */
export class Reading {
  readonly issue: OpenIssue;
  readonly #longbox: LongboxClient;
  readonly #changed: () => void;
  readonly #progress: ProgressKeeper;
  #images: PageImages;
  readonly #view: ViewChoices;
  readonly notes: PageNotes;
  #page: number;
  #spread: Spread = [];
  #bookmarks: readonly number[];
  /** The page whose shape tells whether the issue is a strip: not the cover, which has the usual shape. */
  readonly #telling: number;
  #isStrip = false;
  #isPrivate = isPrivate();
  #isGuided = false;
  #saveFailed = false;
  #nextIsReady = false;

  private constructor(longbox: LongboxClient, issue: OpenIssue, start: Start) {
    // What this device could not send yet is newer than what was saved of the issue for offline use.
    const unsaved = new UnsavedPlaces(longbox).find(issue.cvIssueId);
    this.#longbox = longbox;
    this.issue = issue;
    this.#changed = start.changed;
    this.#bookmarks = issue.bookmarks;
    this.#view = new ViewChoices(longbox, issue);
    this.notes = new PageNotes(longbox, issue, start.changed);
    this.#page = within(issue, start.page ?? (start.again ? 0 : (unsaved?.page ?? leftOff(issue))));
    this.#telling = within(issue, this.#page + 1);
    this.#images = this.#makeImages();
    this.#progress = new ProgressKeeper(longbox, issue.cvIssueId, {
      restart: start.again,
      failed: () => this.#warnOfSaving(),
    });
  }

  /** Rejects when the issue does not exist or has no readable file. */
  static async open(longbox: LongboxClient, cvIssueId: unknown, start: Start): Promise<Reading> {
    await new UnsavedPlaces(longbox).send();
    const reading = new Reading(longbox, await longbox.api<OpenIssue>(`/api/reader/issue/${String(cvIssueId)}`), start);
    await reading.#lookAhead();
    reading.respread();
    reading.#settle();
    return reading;
  }

  get page(): number {
    return this.#page;
  }

  get spread(): Spread {
    return this.#spread;
  }

  get images(): PageImages {
    return this.#images;
  }

  get choices(): Choices {
    return this.#view.now;
  }

  /** The type whose options this device applies, such as `comic` or `strip`. */
  get profile(): string {
    return this.#view.profile;
  }

  /** Whether nothing is recorded. */
  get isPrivate(): boolean {
    return this.#isPrivate;
  }

  get bookmarks(): readonly number[] {
    return this.#bookmarks;
  }

  get mode(): ShownMode {
    const { mode, rotation } = this.choices;
    if (this.#isGuided || (rotation % 180 !== 0 && mode !== "continuous" && !this.#isStrip)) return "single";
    return modeInWindow(mode, this.#isStrip);
  }

  get address(): PageAddress {
    return { cvIssueId: this.issue.cvIssueId, version: this.issue.version, trim: this.choices.trim };
  }

  /** The width to request in device pixels; undefined for the original size. */
  get pixels(): number | undefined {
    return wantedPixels(this.choices.fit, this.mode === "double" ? 2 : 1, { width: innerWidth, height: innerHeight });
  }

  /** The visible pages: one or two. */
  get shown(): Spread {
    return this.mode === "continuous" ? [this.#page] : this.#spread;
  }

  get lastShown(): number {
    return this.shown.at(-1) ?? this.#page;
  }

  /** Pairs the pages again after the window or the known shapes of pages have changed. */
  respread(): void {
    const spreads = this.#spreads();
    const spread = spreads[spreadOf(spreads, this.#page)] ?? [];
    if (spread.join() !== this.#spread.join()) this.#spread = spread;
  }

  /** Turns to the next or previous pages. @returns false when there are none */
  turn(by: 1 | -1): boolean {
    const spreads = this.#spreads();
    const target = this.mode === "continuous" ? this.#page + by : spreads[spreadOf(spreads, this.#page) + by]?.[0];
    if (target === undefined || target < 0 || target >= this.issue.pageCount) return false;
    this.goTo(target);
    return true;
  }

  goTo(page: number): void {
    const target = within(this.issue, page);
    if (target === this.#page) return;
    this.#page = target;
    this.respread();
    this.#settle();
    this.#changed();
  }

  choose(change: Partial<Choices>): void {
    const { trim } = this.choices;
    this.#view.choose(change);
    if (this.choices.trim !== trim) {
      this.#images.release();
      this.#images = this.#makeImages();
    }
    this.respread();
    this.#changed();
  }

  keepForType(): void {
    this.#view.keepForType();
  }

  /** Panels are walked on one page at a time. */
  setGuided(isGuided: boolean): void {
    this.#isGuided = isGuided;
    this.respread();
    this.#changed();
  }

  /** What was not sent yet is not recorded either. Afterwards the position is recorded from the next page on. */
  setPrivate(on: boolean): void {
    this.#isPrivate = on;
    keepPrivate(on);
    if (on) this.#progress.forget();
    this.#changed();
  }

  async toggleBookmark(): Promise<void> {
    const marked = this.shown.find((page) => this.#bookmarks.includes(page));
    const body = marked === undefined ? { page: this.#page, on: true } : { page: marked, on: false };
    try {
      this.#bookmarks = (
        await this.#longbox.api<{ bookmarks: number[] }>(`/api/reader/issue/${this.issue.cvIssueId}/bookmark`, {
          method: "POST",
          body,
        })
      ).bookmarks;
      this.#changed();
    } catch {
      this.#longbox.notify(t("reading.theBookmarkCouldNot"), { level: "danger" });
    }
  }

  release(): void {
    this.#images.release();
    void this.#progress.release();
  }

  #spreads(): Spread[] {
    return this.mode === "double"
      ? facingSpreads(this.issue.pageCount, this.#images.aspectOf, this.choices.coverAlone)
      : singlePages(this.issue.pageCount);
  }

  #makeImages(): PageImages {
    return new PageImages(this.address, () => {
      this.#judgeShape();
      this.respread();
      this.#changed();
    });
  }

  async #lookAhead(): Promise<void> {
    // Pages are loaded ahead; one that fails is loaded again, with its message, when it is shown.
    this.#images.load(this.#page, this.#keptWidth()).catch(() => undefined);
    await this.#images.load(this.#telling, this.#keptWidth()).catch(() => undefined);
    this.#judgeShape();
  }

  /** A page that could not be loaded at first decides as soon as it is there. */
  #judgeShape(): void {
    const aspect = this.#images.aspectOf(this.#telling);
    if (aspect === undefined) return;
    this.#isStrip = aspect < stripAspect;
    this.#view.setStrip(this.#isStrip);
  }

  /** Reports the position to the server, and loads the next pages. */
  #settle(): void {
    const last = this.issue.pageCount - 1;
    const completed = this.lastShown === last;
    if (last - this.lastShown <= nearTheEnd) void this.#readyNext();
    if (!this.#isPrivate)
      this.#progress.at({ page: completed ? last : this.#page, pages: this.issue.pageCount, completed });
    if (this.mode === "continuous") return;
    const near = [...Array.from({ length: ahead }, (_, index) => this.lastShown + 1 + index), this.#page - 1];
    this.#images.abandon((page) => this.shown.includes(page) || near.includes(page));
    for (const page of near)
      // Loaded ahead, as above.
      if (page >= 0 && page <= last) this.#images.load(page, this.#keptWidth()).catch(() => undefined);
  }

  /** The first page of the next issue is fetched while the last of this one are read. */
  async #readyNext(): Promise<void> {
    const { next } = this.issue.neighbours;
    if (!next || this.#nextIsReady) return;
    this.#nextIsReady = true;
    try {
      const { cvIssueId, version, progress, pageCount } = await this.#longbox.api<OpenIssue>(
        `/api/reader/issue/${next.cvIssueId}`,
      );
      const address = { cvIssueId, version, trim: this.choices.trim };
      new Image().src = addressOf(pageUrl(address, leftOff({ progress, pageCount }), this.#keptWidth()));
    } catch {
      // It is fetched when it is opened.
    }
  }

  #keptWidth(): number | undefined {
    return this.pixels === undefined ? undefined : keptWidth(this.pixels);
  }

  #warnOfSaving(): void {
    if (!this.#saveFailed)
      this.#longbox.notify(t("reading.yourPositionCouldNot"), {
        level: "warning",
      });
    this.#saveFailed = true;
  }
}

/** The page to resume at: a finished issue starts at its first page, unless it has been reopened since. */
function leftOff({ progress, pageCount }: Pick<OpenIssue, "progress" | "pageCount">): number {
  if (!progress || (progress.completed && progress.page >= Math.min(progress.pages, pageCount) - 1)) return 0;
  return progress.page;
}

function within({ pageCount }: OpenIssue, page: number): number {
  return Math.min(pageCount - 1, Math.max(0, page));
}
