import type { ClientSubject, LongboxClient } from "@longbox/sdk/client";
import { html, LitElement, nothing, type PropertyValues, type TemplateResult } from "lit";
import { customElement, property, query, state } from "lit/decorators.js";
import { fitLabels, keepDeviceChoices, modeLabels, readDeviceChoices, directionLabels, type Choices } from "./chrome/choices.js";
import { controlsStyle } from "./chrome/controls-style.js";
import type { ReaderHelp } from "./chrome/help-dialog.js";
import "./chrome/help-dialog.js";
import { icon } from "./chrome/icons.js";
import "./chrome/scrubber.js";
import { commandOf, isTyping, type Command } from "./chrome/shortcuts.js";
import "./chrome/view-panel.js";
import "./end-card.js";
import { Presence } from "./presence.js";
import { ProgressKeeper } from "./progress-keeper.js";
import { readerStyle } from "./reader-style.js";
import { issueLabel, type Direction, type Fit, type Mode, type OpenIssue } from "./shapes.js";
import type { ContinuousStage } from "./stage/continuous-stage.js";
import "./stage/continuous-stage.js";
import { wantedPixels } from "./stage/fitting.js";
import { keptWidth, PageImages, type PageAddress } from "./stage/page-images.js";
import type { PagedStage } from "./stage/paged-stage.js";
import "./stage/paged-stage.js";
import { facingSpreads, singlePages, spreadOf, type Spread } from "./stage/spreads.js";

/** Pages that are loaded before they are turned to, and behind. */
const ahead = 4;
/** A page this much higher than wide belongs to a strip. */
const stripAspect = 0.42;
/** Two pages are shown by themselves when the window is at least so wide, and this much wider than high. */
const roomForTwo = 900;
const roomAspect = 1.15;
const panStep = 120;

/** The reader: the page `/read/:cvIssueId`. `?page=` begins at a page (from 0), `?again` begins the issue anew. */
@customElement("longbox-reader")
export class LongboxReader extends LitElement {
  @property({ attribute: false }) longbox!: LongboxClient;
  @property({ attribute: false }) subject: ClientSubject = {};
  @state() private issue: OpenIssue | undefined;
  @state() private problem = "";
  @state() private page = 0;
  @state() private choices: Choices = { mode: "auto", direction: "ltr", fit: "page", coverAlone: true, ...readDeviceChoices() };
  @state() private bookmarks: readonly number[] = [];
  @state() private panelOpen = false;
  @state() private ended = false;
  @query("longbox-paged-stage, longbox-continuous-stage") private stage!: PagedStage | ContinuousStage | null;
  @query("longbox-reader-help") private help!: ReaderHelp;

  #images: PageImages | undefined;
  #spreads: readonly Spread[] = [];
  #spread: Spread = [];
  #isStrip = false;
  #progress: ProgressKeeper | undefined;
  #opening = 0;
  #saveFailed = false;
  #titleBefore = "";
  readonly #presence = new Presence({ changed: () => this.requestUpdate(), held: () => this.panelOpen });

  static override styles = [controlsStyle, readerStyle];

  override connectedCallback(): void {
    super.connectedCallback();
    this.#titleBefore = document.title;
    // Before the shell's own keys, which this page covers.
    addEventListener("keydown", this.#onKey, { capture: true });
    addEventListener("resize", this.#onResize);
    this.addEventListener("pointermove", this.#onPointer);
    document.addEventListener("fullscreenchange", this.#onResize);
    this.#presence.call();
    if (this.hasUpdated && !this.issue) void this.#open();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    removeEventListener("keydown", this.#onKey, { capture: true });
    removeEventListener("resize", this.#onResize);
    this.removeEventListener("pointermove", this.#onPointer);
    document.removeEventListener("fullscreenchange", this.#onResize);
    this.#presence.release();
    document.title = this.#titleBefore;
    this.#opening++;
    this.issue = undefined;
    void this.#progress?.release();
    this.#progress = undefined;
  }

  override willUpdate(changed: PropertyValues): void {
    const before = changed.get("subject") as ClientSubject | undefined;
    if (changed.has("subject") && before?.["cvIssueId"] !== this.subject["cvIssueId"]) void this.#open();
    this.setAttribute("stage", this.choices.stage);
    if (this.issue) this.#respread(this.issue);
  }

  override render() {
    return html`${this.problem ? this.#renderProblem() : this.issue ? this.#renderOpen(this.issue) : html`<div class="message" role="status"><p>Opening…</p></div>`}<longbox-reader-help></longbox-reader-help>`;
  }

  #renderProblem(): TemplateResult {
    return html`<div class="message" role="alert">
      <h1>This issue cannot be read</h1>
      <p>${this.problem}</p>
      <button class="strong" type="button" @click=${() => this.#close()}>Back</button>
    </div>`;
  }

  #renderOpen(issue: OpenIssue): TemplateResult {
    const quiet = this.#presence.shown ? "" : "quiet";
    return html`${this.#renderStage(issue)}
      <progress class="thread ${this.choices.direction}" max=${issue.pageCount} .value=${this.#lastShown() + 1} aria-hidden="true"></progress>
      ${this.#renderTop(issue, quiet)} ${this.#renderBottom(issue, quiet)}
      ${this.panelOpen ? html`<longbox-view-panel .choices=${this.choices} @choose=${(event: CustomEvent<Partial<Choices>>) => this.#choose(event.detail)}></longbox-view-panel>` : nothing}
      ${this.ended ? html`<longbox-reader-end .issue=${issue} @next=${() => this.#openNeighbour("next")} @close=${() => this.#close()} @dismiss=${() => (this.ended = false)}></longbox-reader-end>` : nothing}
      <p class="heard" role="status">${this.#pageLabel(issue)}</p>`;
  }

  #renderStage(issue: OpenIssue): TemplateResult {
    if (this.#mode === "continuous") {
      return html`<longbox-continuous-stage
        class="stage"
        tabindex="0"
        aria-label="Pages"
        .images=${this.#images}
        .pageCount=${issue.pageCount}
        .fit=${this.choices.fit}
        .startPage=${this.page}
        @page=${(event: CustomEvent<number>) => this.#arrive(event.detail)}
        @beyond=${() => (this.ended = true)}
        @middle=${() => this.#middle()}
      ></longbox-continuous-stage>`;
    }
    return html`<longbox-paged-stage
      class="stage"
      .images=${this.#images}
      .spread=${this.#spread}
      .direction=${this.choices.direction}
      .fit=${this.choices.fit}
      .pixels=${this.#pixels()}
      @turn=${(event: CustomEvent<1 | -1>) => this.#turn(event.detail)}
      @middle=${() => this.#middle()}
    ></longbox-paged-stage>`;
  }

  #renderTop(issue: OpenIssue, quiet: string): TemplateResult {
    const marked = this.#spread.some((page) => this.bookmarks.includes(page));
    return html`<header class="bar top ${quiet}">
      <button class="plain" type="button" aria-label="Close the reader" @click=${() => this.#close()}>${icon("close")}</button>
      <h1>${issue.series} ${issueLabel(issue.number)}${issue.title ? html`<small>${issue.title}</small>` : nothing}</h1>
      <button class="plain" type="button" aria-label="Bookmark" aria-pressed=${marked} @click=${() => void this.#toggleBookmark()}>${icon("bookmark")}</button>
      <button class="plain" type="button" aria-label="How pages are shown" aria-expanded=${this.panelOpen} @click=${() => (this.panelOpen = !this.panelOpen)}>${icon("view")}</button>
      ${document.fullscreenEnabled ? html`<button class="plain" type="button" aria-label="Full screen" aria-pressed=${document.fullscreenElement !== null} @click=${() => void this.#toggleFullscreen()}>${icon("full")}</button>` : nothing}
      <button class="plain wide-only" type="button" aria-label="Keys and gestures" @click=${() => this.help.show()}>${icon("help")}</button>
    </header>`;
  }

  #renderBottom(issue: OpenIssue, quiet: string): TemplateResult {
    const { previous, next } = issue.neighbours;
    const [start, end] = this.choices.direction === "rtl" ? (["next", "previous"] as const) : (["previous", "next"] as const);
    const named = { previous: previous && `Previous issue, ${issueLabel(previous.number)}`, next: next && `Next issue, ${issueLabel(next.number)}` };
    const neighbour = (which: "previous" | "next", shape: "back" | "forth") =>
      html`<button class="plain" type="button" aria-label=${named[which] ?? `No ${which} issue`} title=${named[which] ?? ""} ?disabled=${!issue.neighbours[which]} @click=${() => this.#openNeighbour(which)}>${icon(shape)}</button>`;
    return html`<footer class="bar bottom ${quiet}">
      ${neighbour(start, "back")}
      <span class="count" aria-hidden="true">${this.#countLabel(issue)}</span>
      <longbox-scrubber .page=${this.page} .pageCount=${issue.pageCount} .direction=${this.choices.direction} .address=${this.#address(issue)} .bookmarks=${this.bookmarks} @page=${(event: CustomEvent<number>) => this.#goTo(event.detail)}></longbox-scrubber>
      ${neighbour(end, "forth")}
    </footer>`;
  }

  async #open(): Promise<void> {
    const opening = ++this.#opening;
    void this.#progress?.release();
    this.#progress = undefined;
    this.issue = undefined;
    this.problem = "";
    this.ended = this.panelOpen = false;
    try {
      const issue = await this.longbox.api<OpenIssue>(`/api/reader/issue/${this.subject["cvIssueId"]}`);
      if (opening === this.#opening) await this.#begin(issue, opening);
    } catch (thrown) {
      if (opening === this.#opening) this.problem = thrown instanceof Error ? thrown.message : String(thrown);
    }
  }

  async #begin(issue: OpenIssue, opening: number): Promise<void> {
    const wishes = new URLSearchParams(location.search);
    const resumed = issue.progress && !issue.progress.completed && !wishes.has("again") ? issue.progress.page : 0;
    const wished = Number.parseInt(wishes.get("page") ?? "", 10);
    const page = Math.min(issue.pageCount - 1, Math.max(0, Number.isNaN(wished) ? resumed : wished));
    this.choices = { ...this.choices, mode: issue.preferences.mode ?? "auto", direction: issue.direction, fit: issue.preferences.fit ?? "page" };
    this.#images = this.#makeImages(issue);
    // A strip is told by a page from its middle; covers have the shape of covers.
    await this.#images.load(Math.min(page + 1, issue.pageCount - 1), this.#keptPixels()).catch(() => undefined);
    if (opening !== this.#opening) return;
    this.#isStrip = (this.#images.aspectOf(Math.min(page + 1, issue.pageCount - 1)) ?? 1) < stripAspect;
    this.#progress = new ProgressKeeper(this.longbox, issue.cvIssueId, { restart: wishes.has("again"), failed: () => this.#warnOfSaving() });
    this.issue = issue;
    this.bookmarks = issue.bookmarks;
    this.page = page;
    document.title = `${issue.series} ${issueLabel(issue.number)}`;
    this.#respread(issue);
    this.#settleAt(page);
  }

  #makeImages(issue: OpenIssue): PageImages {
    return new PageImages(this.#address(issue), () => this.requestUpdate());
  }

  #address({ cvIssueId, version }: OpenIssue): PageAddress {
    return { cvIssueId, version, trim: this.choices.trim };
  }

  get #mode(): Mode {
    if (this.choices.mode !== "auto") return this.choices.mode;
    if (this.#isStrip) return "continuous";
    return innerWidth >= roomForTwo && innerWidth > innerHeight * roomAspect ? "double" : "single";
  }

  #pixels(): number | undefined {
    return wantedPixels(this.choices.fit, this.#mode === "double" ? 2 : 1, { width: innerWidth, height: innerHeight });
  }

  #keptPixels(): number | undefined {
    const pixels = this.#pixels();
    return pixels === undefined ? undefined : keptWidth(pixels);
  }

  #respread(issue: OpenIssue): void {
    this.#spreads = this.#mode === "double" ? facingSpreads(issue.pageCount, (page) => this.#images?.aspectOf(page), this.choices.coverAlone) : singlePages(issue.pageCount);
    const spread = this.#spreads[spreadOf(this.#spreads, this.page)] ?? [];
    if (spread.join() !== this.#spread.join()) this.#spread = spread;
  }

  #turn(by: 1 | -1): void {
    if (!this.issue) return;
    if (this.ended) return by === 1 ? this.#openNeighbour("next") : void (this.ended = false);
    if (this.#mode === "continuous") return this.#goTo(this.page + by);
    const next = this.#spreads[spreadOf(this.#spreads, this.page) + by];
    if (next) this.#goTo(next[0]!);
    else if (by === 1) this.ended = true;
  }

  #goTo(page: number): void {
    if (!this.issue) return;
    const last = this.issue.pageCount - 1;
    if (page > last) this.ended = true;
    const target = Math.min(last, Math.max(0, page));
    if (this.#mode === "continuous") (this.stage as ContinuousStage).showPage(target);
    this.#arrive(target);
  }

  #arrive(page: number): void {
    if (!this.issue || page === this.page) return;
    this.page = page;
    this.#respread(this.issue);
    this.#settleAt(page);
  }

  /** Tells the server, and loads what comes next. */
  #settleAt(page: number): void {
    const issue = this.issue!;
    const last = issue.pageCount - 1;
    const completed = this.#lastShown() === last;
    this.#progress?.at({ page: completed ? last : page, pages: issue.pageCount, completed });
    if (this.#mode === "continuous") return;
    const width = this.#keptPixels();
    for (const near of [...Array.from({ length: ahead }, (_, index) => this.#lastShown() + 1 + index), page - 1]) {
      if (near >= 0 && near <= last) this.#images!.load(near, width).catch(() => undefined);
    }
  }

  #lastShown(): number {
    return this.#mode === "double" ? (this.#spread.at(-1) ?? this.page) : this.page;
  }

  #choose(change: Partial<Choices>): void {
    const before = this.choices;
    this.choices = { ...before, ...change };
    keepDeviceChoices(this.choices);
    if (this.issue && this.choices.trim !== before.trim) this.#images = this.#makeImages(this.issue);
    const { mode, direction, fit } = this.choices;
    const kept = mode !== before.mode || direction !== before.direction || fit !== before.fit;
    if (kept && this.issue) {
      const body = { mode: mode === "auto" ? null : mode, direction, fit };
      this.longbox.api(`/api/reader/series/${this.issue.seriesId}/preferences`, { method: "POST", body }).catch(() => this.longbox.notify("The choice could not be saved.", { level: "warning" }));
    }
  }

  /** Chooses the next of several, and says which. */
  #cycle<K extends "mode" | "direction" | "fit">(name: K, order: ReadonlyArray<Choices[K]>, present: Choices[K], labels: Record<Choices[K], string>): void {
    const next = order[(order.indexOf(present) + 1) % order.length]!;
    this.#choose({ [name]: next });
    this.longbox.notify(labels[next]);
  }

  async #toggleBookmark(): Promise<void> {
    if (!this.issue) return;
    const marked = this.#spread.find((page) => this.bookmarks.includes(page));
    const body = marked === undefined ? { page: this.page, on: true } : { page: marked, on: false };
    try {
      this.bookmarks = (await this.longbox.api<{ bookmarks: number[] }>(`/api/reader/issue/${this.issue.cvIssueId}/bookmark`, { method: "POST", body })).bookmarks;
    } catch {
      this.longbox.notify("The bookmark could not be saved.", { level: "danger" });
    }
  }

  async #toggleFullscreen(): Promise<void> {
    if (document.fullscreenElement) await document.exitFullscreen();
    else await this.requestFullscreen().catch(() => this.longbox.notify("The browser does not allow full screen here."));
  }

  #openNeighbour(which: "previous" | "next"): void {
    const neighbour = this.issue?.neighbours[which];
    if (neighbour) this.longbox.navigate(`/read/${neighbour.cvIssueId}`, { replace: true });
    else if (this.ended) this.#close();
  }

  #close(): void {
    if (document.fullscreenElement) void document.exitFullscreen();
    this.longbox.back(`/issue/${this.subject["cvIssueId"]}`);
  }

  #middle(): void {
    if (this.panelOpen) this.panelOpen = false;
    else this.#presence.toggle();
  }

  #warnOfSaving(): void {
    if (!this.#saveFailed) this.longbox.notify("Your place could not be saved. It is tried again at the next page.", { level: "warning" });
    this.#saveFailed = true;
  }

  readonly #onPointer = (event: PointerEvent): void => this.#presence.pointerAt(event);
  readonly #onResize = (): void => this.requestUpdate();

  readonly #onKey = (event: KeyboardEvent): void => {
    if (event.key === "Tab") this.#presence.call();
    if (event.defaultPrevented || this.help?.isOpen || isTyping(event)) return;
    const command = commandOf(event);
    if (!command || (!this.issue && command !== "close")) return;
    event.preventDefault();
    this.#commands[command]();
  };

  readonly #commands: Record<Command, () => void> = {
    forward: () => this.#turn(1),
    backward: () => this.#turn(-1),
    left: () => this.#sideways(-1),
    right: () => this.#sideways(1),
    up: () => this.#vertically(-1),
    down: () => this.#vertically(1),
    advance: () => this.#readOn(1),
    retreat: () => this.#readOn(-1),
    first: () => this.#goTo(0),
    last: () => this.#goTo(this.issue!.pageCount - 1),
    "next-issue": () => this.#openNeighbour("next"),
    "previous-issue": () => this.#openNeighbour("previous"),
    "zoom-in": () => this.stage?.zoomBy(1.25),
    "zoom-out": () => this.stage?.zoomBy(0.8),
    "zoom-reset": () => this.stage?.zoomBy(0),
    fullscreen: () => void this.#toggleFullscreen(),
    mode: () => this.#cycle("mode", ["single", "double", "continuous"], this.#mode, modeLabels),
    direction: () => this.#cycle<"direction">("direction", ["ltr", "rtl"] satisfies Direction[], this.choices.direction, directionLabels),
    fit: () => this.#cycle<"fit">("fit", ["page", "width", "height", "original"] satisfies Fit[], this.choices.fit, fitLabels),
    trim: () => this.#choose({ trim: !this.choices.trim }),
    bookmark: () => void this.#toggleBookmark(),
    help: () => this.help.show(),
    close: () => (this.panelOpen ? (this.panelOpen = false) : this.ended ? (this.ended = false) : this.#close()),
  };

  /** The right arrow goes on from left to right, and back the other way; a page wider than the window moves first. */
  #sideways(by: 1 | -1): void {
    if (this.#mode !== "continuous" && !this.ended && this.stage?.pan({ x: -by * panStep, y: 0 })) return;
    this.#turn((by === 1) === (this.choices.direction === "ltr") ? 1 : -1);
  }

  #vertically(by: 1 | -1): void {
    if (this.ended || !this.stage?.pan({ x: 0, y: -by * panStep })) this.#turn(by);
  }

  #readOn(by: 1 | -1): void {
    if (this.ended || !this.stage?.advance(by)) this.#turn(by);
  }

  #pageLabel(issue: OpenIssue): string {
    const [first = 0, last = first] = this.#mode === "double" ? this.#spread : [this.page];
    return last === first ? `Page ${first + 1} of ${issue.pageCount}` : `Pages ${first + 1} and ${last + 1} of ${issue.pageCount}`;
  }

  #countLabel(issue: OpenIssue): string {
    const [first = 0, last = first] = this.#mode === "double" ? this.#spread : [this.page];
    return `${last === first ? first + 1 : `${first + 1}–${last + 1}`} / ${issue.pageCount}`;
  }
}
