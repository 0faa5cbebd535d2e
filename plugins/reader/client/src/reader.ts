import type { ClientSubject, LongboxClient } from "@longbox/sdk/client";
import { html, LitElement, nothing, type PropertyValues, type TemplateResult } from "lit";
import { customElement, property, query, state } from "lit/decorators.js";
import { bottomBar, pageLabel, topBar } from "./chrome/bars.js";
import { directionLabels, fitLabels, modeLabels, type Choices } from "./chrome/choices.js";
import { controlsStyle } from "./chrome/controls-style.js";
import type { ReaderHelp } from "./chrome/help-dialog.js";
import "./chrome/help-dialog.js";
import type { ReaderOverview } from "./chrome/overview.js";
import "./chrome/overview.js";
import { commandOf, isTyping, type Command } from "./chrome/shortcuts.js";
import "./chrome/view-panel.js";
import "./end-card.js";
import { Presence } from "./presence.js";
import { readerStyle } from "./reader-style.js";
import { Reading } from "./reading.js";
import { ScreenAwake } from "./screen-awake.js";
import type { ContinuousStage } from "./stage/continuous-stage.js";
import "./stage/continuous-stage.js";
import type { PagedStage } from "./stage/paged-stage.js";
import "./stage/paged-stage.js";

const panStep = 120;

/** The reader: the page `/read/:cvIssueId`. `?page=` begins at a page (from 0), `?again` begins the issue from its first page. */
@customElement("longbox-reader")
export class LongboxReader extends LitElement {
  @property({ attribute: false }) longbox!: LongboxClient;
  @property({ attribute: false }) subject: ClientSubject = {};
  @state() private reading: Reading | undefined;
  @state() private problem = "";
  @state() private panelOpen = false;
  @state() private ended = false;
  @query("longbox-paged-stage, longbox-continuous-stage") private stage!: PagedStage | ContinuousStage | null;
  @query("longbox-reader-help") private help!: ReaderHelp;
  @query("longbox-reader-overview") private overview!: ReaderOverview | null;

  #opening = 0;
  #titleBefore = "";
  #awake: ScreenAwake | undefined;
  readonly #presence = new Presence({
    changed: () => this.requestUpdate(),
    held: () => this.panelOpen || this.#isPointedAt(),
  });

  static override styles = [controlsStyle, readerStyle];

  override connectedCallback(): void {
    super.connectedCallback();
    this.#titleBefore = document.title;
    // Registered before the shell's shortcuts, which do not apply on this page.
    addEventListener("keydown", this.#onKey, { capture: true });
    addEventListener("resize", this.#onResize);
    this.addEventListener("pointermove", this.#onPointer);
    document.addEventListener("fullscreenchange", this.#onResize);
    this.#presence.call();
    this.#awake = new ScreenAwake();
    if (this.hasUpdated && !this.reading) void this.#open();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    removeEventListener("keydown", this.#onKey, { capture: true });
    removeEventListener("resize", this.#onResize);
    this.removeEventListener("pointermove", this.#onPointer);
    document.removeEventListener("fullscreenchange", this.#onResize);
    this.#presence.release();
    this.#awake?.release();
    document.title = this.#titleBefore;
    this.#leave();
  }

  override willUpdate(changed: PropertyValues): void {
    const before = changed.get("subject") as ClientSubject | undefined;
    if (changed.has("subject") && before?.["cvIssueId"] !== this.subject["cvIssueId"]) void this.#open();
    if (this.reading) this.setAttribute("stage", this.reading.choices.stage);
  }

  override render() {
    return html`${this.problem ? this.#renderProblem() : this.reading ? this.#renderReading(this.reading) : html`<div class="message" role="status"><p>Opening…</p></div>`}<longbox-reader-help
      ></longbox-reader-help>`;
  }

  #renderProblem(): TemplateResult {
    return html`<div class="message" role="alert">
      <h1>This cannot be opened</h1>
      <p>${this.problem}</p>
      <button class="strong" type="button" @click=${() => this.#close()}>Back</button>
    </div>`;
  }

  #renderReading(reading: Reading): TemplateResult {
    const quiet = !this.#presence.shown;
    return html`${reading.mode === "continuous" ? this.#renderStrip(reading) : this.#renderPages(reading)}
      <progress
        class="thread ${reading.choices.direction}"
        max=${reading.issue.pageCount}
        .value=${reading.lastShown + 1}
        aria-hidden="true"
      ></progress>
      ${topBar(
        reading,
        { quiet, panelOpen: this.panelOpen },
        {
          close: () => this.#close(),
          bookmark: () => void reading.toggleBookmark(),
          togglePanel: () => (this.panelOpen = !this.panelOpen),
          fullscreen: () => void this.#toggleFullscreen(),
          help: () => this.help.show(),
        },
      )}
      ${bottomBar(reading, { quiet }, { openNeighbour: (which) => this.#openNeighbour(which), goTo: (page) => this.#goTo(page), overview: () => void this.overview?.show() })}
      ${this.panelOpen ? html`<longbox-view-panel .choices=${reading.choices} @choose=${(event: CustomEvent<Partial<Choices>>) => reading.choose(event.detail)}></longbox-view-panel>` : nothing}
      ${this.ended ? html`<longbox-reader-end .issue=${reading.issue} @next=${() => this.#openNeighbour("next")} @close=${() => this.#close()} @dismiss=${() => (this.ended = false)}></longbox-reader-end>` : nothing}
      <longbox-reader-overview
        .address=${reading.address}
        .pageCount=${reading.issue.pageCount}
        .shown=${reading.shown}
        .bookmarks=${reading.bookmarks}
        .direction=${reading.choices.direction}
        @page=${(event: CustomEvent<number>) => this.#goTo(event.detail)}
      ></longbox-reader-overview>
      <p class="heard" role="status">${pageLabel(reading)}</p>`;
  }

  #renderStrip(reading: Reading): TemplateResult {
    return html`<longbox-continuous-stage
      class="stage"
      tabindex="0"
      aria-label="Pages"
      .images=${reading.images}
      .pageCount=${reading.issue.pageCount}
      .fit=${reading.choices.fit}
      .startPage=${reading.page}
      .onward=${reading.issue.neighbours.next ? `Continue with ${reading.issue.neighbours.next.label.short}` : "You have reached the last page"}
      @page=${(event: CustomEvent<number>) => reading.goTo(event.detail)}
      @beyond=${() => (this.ended = true)}
      @onward=${() => (reading.issue.neighbours.next ? this.#openNeighbour("next") : (this.ended = true))}
      @middle=${() => this.#middle()}
    ></longbox-continuous-stage>`;
  }

  #renderPages(reading: Reading): TemplateResult {
    return html`<longbox-paged-stage
      class="stage"
      .images=${reading.images}
      .spread=${reading.spread}
      .direction=${reading.choices.direction}
      .fit=${reading.choices.fit}
      .pixels=${reading.pixels}
      @turn=${(event: CustomEvent<1 | -1>) => this.#turn(event.detail)}
      @middle=${() => this.#middle()}
    ></longbox-paged-stage>`;
  }

  async #open(): Promise<void> {
    this.#leave();
    const opening = this.#opening;
    this.problem = "";
    this.ended = this.panelOpen = false;
    const query = new URLSearchParams(location.search);
    const page = Number.parseInt(query.get("page") ?? "", 10);
    try {
      const reading = await Reading.open(this.longbox, this.subject["cvIssueId"], {
        page: Number.isNaN(page) ? undefined : page,
        again: query.has("again"),
        changed: () => this.requestUpdate(),
      });
      if (opening !== this.#opening) return reading.release();
      this.reading = reading;
      document.title = reading.issue.label.full;
    } catch (thrown) {
      if (opening === this.#opening) this.problem = thrown instanceof Error ? thrown.message : String(thrown);
    }
  }

  /** Cancels the issue that is being opened. */
  #leave(): void {
    this.#opening++;
    this.reading?.release();
    this.reading = undefined;
  }

  #turn(by: 1 | -1): void {
    if (!this.reading) return;
    if (this.ended) return by === 1 ? this.#openNeighbour("next") : void (this.ended = false);
    if (!this.reading.turn(by)) this.ended = by === 1;
    else this.#showPage();
  }

  #goTo(page: number): void {
    this.reading?.goTo(page);
    this.#showPage();
  }

  #showPage(): void {
    if (this.reading?.mode === "continuous") (this.stage as ContinuousStage).showPage(this.reading.page);
  }

  #openNeighbour(which: "previous" | "next"): void {
    const neighbour = this.reading?.issue.neighbours[which];
    if (neighbour) this.longbox.navigate(`/read/${neighbour.cvIssueId}`, { replace: true });
    else if (this.ended) this.#close();
  }

  #close(): void {
    if (document.fullscreenElement) void document.exitFullscreen();
    this.longbox.back(`/issue/${String(this.subject["cvIssueId"])}`);
  }

  /** Whether the mouse is over a bar. Touches are ignored, because the browser keeps their last position as hover. */
  #isPointedAt(): boolean {
    return matchMedia("(hover: hover)").matches && this.renderRoot.querySelector(".bar:hover") !== null;
  }

  #middle(): void {
    if (this.panelOpen) this.panelOpen = false;
    else this.#presence.toggle();
  }

  async #toggleFullscreen(): Promise<void> {
    if (document.fullscreenElement) await document.exitFullscreen();
    else
      await this.requestFullscreen().catch(() => this.longbox.notify("The browser does not allow full screen here."));
  }

  /** Selects the next of several options and announces it. */
  #cycle<K extends "mode" | "direction" | "fit">(name: K, labels: Record<Choices[K], string>): void {
    const order = (Object.keys(labels) as Array<Choices[K]>).filter((choice) => choice !== "auto");
    const present = name === "mode" ? this.reading!.mode : this.reading!.choices[name];
    const next = order[(order.indexOf(present as Choices[K]) + 1) % order.length]!;
    this.reading!.choose({ [name]: next });
    this.longbox.notify(labels[next]);
  }

  readonly #onPointer = (event: PointerEvent): void => this.#presence.pointerAt(event);
  readonly #onResize = (): void => {
    this.reading?.respread();
    this.requestUpdate();
  };

  readonly #onKey = (event: KeyboardEvent): void => {
    if (event.key === "Tab") this.#presence.call();
    if (event.defaultPrevented || this.help?.isOpen || this.overview?.open || isTyping(event)) return;
    const command = commandOf(event);
    if (!command || (!this.reading && command !== "close")) return;
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
    last: () => this.#goTo(this.reading!.issue.pageCount - 1),
    "next-issue": () => this.#openNeighbour("next"),
    "previous-issue": () => this.#openNeighbour("previous"),
    "zoom-in": () => this.stage?.zoomBy(1.25),
    "zoom-out": () => this.stage?.zoomBy(0.8),
    "zoom-reset": () => this.stage?.resetZoom(),
    fullscreen: () => void this.#toggleFullscreen(),
    mode: () => this.#cycle("mode", modeLabels),
    direction: () => this.#cycle("direction", directionLabels),
    fit: () => this.#cycle("fit", fitLabels),
    trim: () => this.reading!.choose({ trim: !this.reading!.choices.trim }),
    bookmark: () => void this.reading!.toggleBookmark(),
    help: () => this.help.show(),
    overview: () => void this.overview?.show(),
    close: () => (this.panelOpen ? (this.panelOpen = false) : this.ended ? (this.ended = false) : this.#close()),
  };

  /**
   * The right arrow moves forward when reading left to right, and back otherwise; a page wider than the window scrolls
   * first.
   */
  #sideways(by: 1 | -1): void {
    const { mode, choices } = this.reading!;
    if (mode !== "continuous" && !this.ended && this.stage?.pan({ x: -by * panStep, y: 0 })) return;
    this.#turn((by === 1) === (choices.direction === "ltr") ? 1 : -1);
  }

  #vertically(by: 1 | -1): void {
    if (this.ended || !this.stage?.pan({ x: 0, y: -by * panStep })) this.#turn(by);
  }

  #readOn(by: 1 | -1): void {
    if (this.ended || !this.stage?.advance(by)) this.#turn(by);
  }
}
