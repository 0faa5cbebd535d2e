import { t } from "@longbox/sdk/ui";
import type { ClientSubject, LongboxClient } from "@longbox/sdk/client";
import { html, LitElement, nothing, type PropertyValues, type TemplateResult } from "lit";
import { customElement, property, query, state } from "lit/decorators.js";
import { AutoScroll } from "./auto-scroll.js";
import { bottomBar, pageLabel, topBar } from "./chrome/bars.js";
import { controlsStyle } from "./chrome/controls-style.js";
import type { ReaderHelp } from "./chrome/help-dialog.js";
import "./chrome/help-dialog.js";
import { keepKeys, readKeys } from "./chrome/key-choices.js";
import type { ReaderNote } from "./chrome/note-dialog.js";
import "./chrome/note-dialog.js";
import type { ReaderOverview } from "./chrome/overview.js";
import { overview, thread, viewPanel, type PanelActions } from "./chrome/over-pages.js";
import { commandOf, isTyping, type KeyMap } from "./chrome/shortcuts.js";
import "./chrome/zone-map.js";
import { readerCommands, togglePrivate, type Commanded, type ReaderAction } from "./commands.js";
import "./end-card.js";
import { Hints } from "./hints.js";
import { listenTo, type ReaderListeners } from "./listening.js";
import { GuidedPages } from "./panels/guided-pages.js";
import { Presence } from "./presence.js";
import { readerStyle } from "./reader-style.js";
import { Reading } from "./reading.js";
import { ScreenAwake } from "./screen-awake.js";
import { colourFilter } from "./stage/colours.js";
import { stageOf, type StageActions } from "./stages.js";
import type { ContinuousStage } from "./stage/continuous-stage.js";
import type { PagedStage } from "./stage/paged-stage.js";

/**
 * The reader: the page `/read/:cvIssueId`. `?page=` begins at a page (from 0), `?again` begins the issue from its first
 * page.
 */
@customElement("longbox-reader")
export class LongboxReader extends LitElement implements Commanded {
  @property({ attribute: false }) longbox!: LongboxClient;
  @property({ attribute: false }) subject: ClientSubject = {};
  @state() private reading: Reading | undefined;
  @state() private problem = "";
  @state() private panelOpen = false;
  @state() private ended = false;
  @state() private keys: KeyMap = readKeys();
  @query("longbox-paged-stage, longbox-continuous-stage") private stage!: PagedStage | ContinuousStage | null;
  @query("longbox-reader-help") private help!: ReaderHelp;
  @query("longbox-reader-note") private note!: ReaderNote;
  @query("longbox-reader-overview") private overview!: ReaderOverview | null;

  #opening = 0;
  #titleBefore = "";
  #awake: ScreenAwake | undefined;
  #listening = new AbortController();
  readonly #hints = new Hints(() => this.requestUpdate());
  readonly #guide = new GuidedPages(this);
  readonly #auto = new AutoScroll(this);
  readonly #commands = readerCommands(this);
  readonly #presence = new Presence({
    changed: () => this.requestUpdate(),
    held: () => this.panelOpen || this.#isPointedAt(),
  });

  static override styles = [controlsStyle, readerStyle];

  override connectedCallback(): void {
    super.connectedCallback();
    this.#titleBefore = document.title;
    this.#listening = new AbortController();
    listenTo(this, this.#listeners, this.#listening.signal);
    this.#presence.call();
    this.#awake = new ScreenAwake();
    if (this.hasUpdated && !this.reading) void this.#open();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#listening.abort();
    this.#presence.release();
    this.#hints.release();
    this.#awake?.release();
    document.title = this.#titleBefore;
    this.#leave();
  }

  override willUpdate(changed: PropertyValues): void {
    const before = changed.get("subject") as ClientSubject | undefined;
    if (changed.has("subject") && before?.["cvIssueId"] !== this.subject["cvIssueId"]) void this.#open();
    if (!this.reading) return;
    this.setAttribute("stage", this.reading.choices.stage);
    this.style.setProperty("--page-filter", colourFilter(this.reading.choices.colours));
    this.#guide.follow(this.reading);
  }

  override render() {
    return html`${this.problem ? this.#renderProblem() : this.reading ? this.#renderReading(this.reading) : html`<div class="message" role="status"><h1>${t("reader.opening")}</h1></div>`}<longbox-reader-help
        .keys=${this.keys}
        @keys=${(event: CustomEvent<KeyMap>) => keepKeys((this.keys = event.detail))}
      ></longbox-reader-help
      ><longbox-reader-note></longbox-reader-note>`;
  }

  #renderProblem(): TemplateResult {
    return html`<div class="message" role="alert">
      <h1>${t("reader.thisCannotBeOpened")}</h1>
      <p>${this.problem}</p>
      <button class="strong" type="button" @click=${() => this.#close()}>${t("reader.back")}</button>
    </div>`;
  }

  #renderReading(reading: Reading): TemplateResult {
    const quiet = !this.#presence.shown;
    return html`${stageOf(reading, this.#onStage)} ${thread(reading)}
      ${topBar(
        reading,
        { quiet, panelOpen: this.panelOpen },
        {
          run: (action) => this.run(action),
          bookmark: () => void reading.toggleBookmark(),
          togglePanel: () => (this.panelOpen = !this.panelOpen),
        },
      )}
      ${bottomBar(reading, { quiet }, { openNeighbour: (which) => this.openNeighbour(which), goTo: (page) => this.goTo(page), overview: () => this.run("overview") })}
      ${this.panelOpen ? viewPanel(reading, this.#panelActions) : nothing}
      ${this.ended ? html`<longbox-reader-end .issue=${reading.issue} @next=${() => this.openNeighbour("next")} @close=${() => this.#close()} @dismiss=${() => (this.ended = false)}></longbox-reader-end>` : nothing}
      ${overview(reading, (page) => this.goTo(page))}
      ${this.#hints.zones ? html`<longbox-zone-map .taps=${reading.choices.taps} .direction=${reading.mode === "continuous" ? "ltr" : reading.choices.direction}></longbox-zone-map>` : nothing}
      <div class="hint" aria-live="polite">${this.#hints.text ? html`<span>${this.#hints.text}</span>` : nothing}</div>
      <p class="heard" role="status">${pageLabel(reading, this.#guide.label)}</p>`;
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
      this.#hints.opened(reading);
      document.title = reading.issue.label.full;
    } catch (thrown) {
      if (opening === this.#opening) this.problem = thrown instanceof Error ? thrown.message : String(thrown);
    }
  }

  /** Cancels the issue that is being opened. */
  #leave(): void {
    this.#opening++;
    this.#auto.stop();
    this.#guide.release();
    this.reading?.release();
    this.reading = undefined;
  }

  turn(by: 1 | -1): void {
    if (!this.reading) return;
    if (this.#guide.isOn && !this.ended) return void this.#guide.step(by);
    this.turnPage(by);
  }

  turnPage(by: 1 | -1): void {
    if (!this.reading) return;
    if (this.ended) return by === 1 ? this.openNeighbour("next") : void (this.ended = false);
    if (!this.reading.turn(by)) this.ended = by === 1;
    else this.#showPage();
  }

  goTo(page: number): void {
    this.reading?.goTo(page);
    this.#showPage();
  }

  #showPage(): void {
    if (this.reading?.mode === "continuous") (this.stage as ContinuousStage).showPage(this.reading.page);
  }

  openNeighbour(which: "previous" | "next"): void {
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
    else await this.requestFullscreen().catch(() => this.longbox.notify(t("reader.theBrowserDoesNot")));
  }

  readonly #listeners: ReaderListeners = {
    touch: () => this.#auto.stop(),
    pointer: (event) => this.#presence.pointerAt(event),
    key: (event) => this.#onKey(event),
    resize: () => {
      this.reading?.respread();
      this.requestUpdate();
    },
  };

  #onKey(event: KeyboardEvent): void {
    if (event.key === "Tab") this.#presence.call();
    if (event.defaultPrevented || this.help?.isOpen || this.note?.isOpen || this.overview?.open || isTyping(event))
      return;
    const command = commandOf(event, this.keys);
    if (!command || (!this.reading && command !== "close" && command !== "help")) return;
    event.preventDefault();
    if (command !== "auto" && this.#auto.isRunning) this.#auto.stop();
    this.#commands[command]();
  }

  get open(): Reading {
    return this.reading!;
  }

  get shownStage(): PagedStage | ContinuousStage | null {
    return this.stage;
  }

  get isAtEnd(): boolean {
    return this.ended;
  }

  get isGuided(): boolean {
    return this.#guide.isOn;
  }

  hideControls(): void {
    this.panelOpen = false;
    this.#presence.dismiss();
  }

  say(text: string): void {
    this.#hints.say(text);
  }

  readonly #onStage: StageActions = {
    turn: (by) => this.turn(by),
    beyond: () => (this.ended = true),
    onward: () => (this.open.issue.neighbours.next ? this.openNeighbour("next") : (this.ended = true)),
    middle: () => this.#middle(),
    twice: (tapped) => void this.#guide.tapped(tapped),
  };

  readonly #actions: Record<ReaderAction, () => void> = {
    panels: () => void this.#guide.toggle(),
    auto: () => this.#auto.toggle(),
    note: () => this.note.show(this.open.notes, this.open.page),
    fullscreen: () => void this.#toggleFullscreen(),
    help: () => this.help.show(),
    overview: () => void this.overview?.show(),
    close: () => this.#stepBack(),
  };

  run(action: ReaderAction): void {
    this.#actions[action]();
  }

  /** Closes what is open, the innermost first. */
  #stepBack(): void {
    if (this.panelOpen) this.panelOpen = false;
    else if (this.ended) this.ended = false;
    else if (this.#guide.isOn) this.#guide.release();
    else this.#close();
  }

  readonly #panelActions: PanelActions = {
    choose: (change) => {
      this.open.choose(change);
      if (change.taps) this.#hints.showZones();
    },
    zones: () => this.#hints.showZones(),
    keepForType: () => {
      this.open.keepForType();
      this.say(t("reader.everyWithoutAChoice", { profile: this.open.profile }));
    },
    togglePrivate: () => togglePrivate(this),
    act: (action) => this.run(action),
  };
}
