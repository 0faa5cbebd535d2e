import {
  confirm,
  dialogs,
  element,
  icon,
  LongboxElement,
  messageOf,
  notices,
  percent,
  standard,
} from "@longbox/sdk/ui";
import { html, nothing, type PropertyValues, type TemplateResult } from "lit";
import { keyed } from "lit/directives/keyed.js";
import { contentsPanel } from "../panels/contents.js";
import { helpPanel } from "../panels/help.js";
import { lookPanel, speechPanel } from "../panels/look.js";
import { notesPanel } from "../panels/notes.js";
import { searchPanel } from "../panels/search.js";
import type { EngineEvents, StoredPlace } from "../protocol.js";
import { bottomBar, panels, readAlongBar, speechBar, topBar, type Panel } from "./bars.js";
import { commandOf, isForControl, type Command } from "./commands.js";
import { runCommand } from "./running.js";
import { placeMenu, selectionMenu } from "./selection-menu.js";
import { Session } from "./session.js";
import { pageStyle } from "./style.js";
import { deviceLabel } from "./this-device.js";

/** The part of the width on each side where a tap turns the page. */
const edge = 0.3;

/** `/books/:cvIssueId`: reads a book. `?again` begins it from the start. */
@element("book-reader-page")
export class BookReaderPage extends LongboxElement<{ cvIssueId?: string }> {
  static override properties = {
    session: { state: true },
    problem: { state: true },
    panel: { state: true },
    quiet: { state: true },
  };
  static override styles = [standard, dialogs, notices, ...pageStyle];

  declare session: Session | undefined;
  declare problem: string;
  declare panel: Panel | undefined;
  /** Whether the bars are out of the way. */
  declare quiet: boolean;
  #opening = 0;
  #titleBefore = "";

  constructor() {
    super();
    this.problem = "";
    this.quiet = false;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.#titleBefore = document.title;
    addEventListener("keydown", this.#pressed, { capture: true });
    if (this.hasUpdated && !this.session) void this.#open();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    removeEventListener("keydown", this.#pressed, { capture: true });
    document.title = this.#titleBefore;
    this.#leave();
  }

  override willUpdate(changed: PropertyValues): void {
    if (this.session) this.setAttribute("theme", this.session.layout.theme);
    this.toggleAttribute("quiet", this.quiet);
    if (changed.has("subject") && changed.get("subject") !== undefined && this.hasUpdated) void this.#open();
  }

  override firstUpdated(): void {
    void this.#open();
  }

  override updated(changed: PropertyValues): void {
    placeMenu(this.renderRoot, this.renderRoot.querySelector("iframe"));
    const dialog = this.renderRoot.querySelector<HTMLDialogElement>("dialog.panel");
    if (changed.has("panel") && dialog && !dialog.open) dialog.showModal();
  }

  override render() {
    const { session, problem } = this;
    return html`${session ? this.#top(session) : html`<header class="bar"></header>`}
    ${
      problem
        ? this.#trouble(problem)
        : keyed(
            this.#opening,
            html`<iframe
              class=${session ? "" : "waiting"}
              title="Text of the book"
              src="/api/book-reader/frame"
              allow="autoplay"
            ></iframe>`,
          )
    }
    ${session ? this.#rest(session) : nothing}
    ${session || problem ? nothing : html`<div class="message" role="status"><p>Opening the book …</p></div>`}`;
  }

  #trouble(problem: string): TemplateResult {
    return html`<main class="message">
      <h1>This book cannot be opened</h1>
      <p role="alert">${problem}</p>
      <p><button type="button" class="primary" @click=${() => this.#close()}>Back</button></p>
    </main>`;
  }

  #top(session: Session): TemplateResult {
    return topBar(session, {
      close: () => this.#close(),
      open: (panel) => (this.panel = panel),
      bookmark: () => this.#run("bookmark"),
      speak: () => this.#run("speak"),
    });
  }

  #rest(session: Session): TemplateResult {
    const { engine, speaking } = session;
    const open = (panel: Panel) => (this.panel = panel);
    return html`${bottomBar(session, {
        turn: (to) => void engine.call("turn", to),
        goTo: (fraction) => void engine.call("goToFraction", fraction),
      })}
      ${speechBar(session, { speak: () => session.speak(), skip: (to) => speaking.skip(to), end: () => speaking.end(), open })}
      ${readAlongBar(session, (command) => void engine.call("readAlong", command, session.layout.speechRate))}
      ${selectionMenu(session, { note: (id) => this.#openNote(id), lookUp: (text) => this.#lookUp(text) })}
      ${this.#question(session)} ${this.#panel(session)}
      <p class="hidden" role="status">
        ${session.shown ? `Page ${session.shown.page + 1} of ${session.shown.pages}` : ""}
      </p>`;
  }

  #question(session: Session): TemplateResult {
    const { further } = session;
    if (!further) return html``;
    return html`<div class="question" role="status">
      <p>You are at ${percent(Math.round(further.fraction * 100), 100)} on ${deviceLabel(further.device)}.</p>
      <button type="button" class="primary" @click=${() => void session.goFurther()}>Go there</button>
      <button type="button" @click=${() => session.stayHere()}>Stay here</button>
    </div>`;
  }

  #panel(session: Session): TemplateResult {
    const { panel } = this;
    if (!panel) return html``;
    return html`<dialog
      class="panel"
      aria-label=${panels[panel].label}
      @close=${() => this.#panelClosed()}
      @click=${closeOutside}
    >
      <div class="row spread">
        <h2>${panels[panel].label}</h2>
        <button type="button" class="plain" aria-label="Close" @click=${() => this.#closePanel()}>
          ${icon("close")}
        </button>
      </div>
      ${this.#panelContent(session, panel)}
    </dialog>`;
  }

  #panelContent(session: Session, panel: Panel): TemplateResult {
    const go = (place: StoredPlace) => {
      this.#closePanel();
      void session.engine.call("goToPlace", place);
    };
    const goToHref = (href: string) => {
      this.#closePanel();
      void session.engine.call("goToHref", href);
    };
    if (panel === "contents") return contentsPanel(session, goToHref);
    if (panel === "search") return searchPanel(session, ({ cfi }) => goToHref(cfi));
    if (panel === "notes")
      return notesPanel(session, ({ locator, fraction, text }) => go({ locator, fraction, text: text ?? undefined }));
    if (panel === "look") return lookPanel(session);
    return panel === "speech" ? speechPanel(session) : helpPanel();
  }

  async #open(): Promise<void> {
    const opening = ++this.#opening;
    this.#leave();
    this.problem = "";
    // Each book gets a frame of its own, with an engine of its own.
    this.requestUpdate();
    await this.updateComplete;
    try {
      const session = await Session.open({
        longbox: this.longbox,
        cvIssueId: Number(this.subject.cvIssueId),
        again: new URLSearchParams(location.search).has("again"),
        frame: this.#loadedFrame(),
        changed: () => this.requestUpdate(),
        listen: () => this.#listeners(),
      });
      if (opening !== this.#opening || !this.isConnected) return session.release();
      this.session = session;
      document.title = `${session.title} · Longbox`;
      void session.engine.call("focus");
    } catch (problem) {
      if (opening === this.#opening) this.problem = messageOf(problem);
    }
  }

  #loadedFrame(): Promise<HTMLIFrameElement> {
    const frame = this.renderRoot.querySelector("iframe");
    if (!frame) return Promise.reject(new Error("The page has no frame."));
    return new Promise((resolve) => frame.addEventListener("load", () => resolve(frame), { once: true }));
  }

  #listeners() {
    return {
      tapped: ({ x, width }: EngineEvents["tapped"]) => this.#tapped(x / width),
      key: (key: EngineEvents["key"]) => this.#run(commandOf(key)),
      externalLink: ({ href }: EngineEvents["externalLink"]) => void this.#follow(href),
      failed: ({ message }: EngineEvents["failed"]) => this.longbox.notify(message, { level: "warning" }),
    };
  }

  #tapped(part: number): void {
    const { session } = this;
    if (!session) return;
    if (session.selected || session.tapped) session.dismiss();
    else if (session.layout.flow === "paged" && part < edge) void session.engine.call("turn", "left");
    else if (session.layout.flow === "paged" && part > 1 - edge) void session.engine.call("turn", "right");
    else this.quiet = !this.quiet;
  }

  readonly #pressed = (event: KeyboardEvent): void => {
    if (!this.session || isForControl(event) || this.panel) return;
    const { key, ctrlKey: ctrl, altKey: alt, shiftKey: shift } = event;
    const command = event.metaKey ? undefined : commandOf({ key, ctrl, alt, shift });
    if (!command) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    this.#run(command);
  };

  #run(command: Command | undefined): void {
    const { session } = this;
    if (!session || !command) return;
    runCommand(command, session, {
      open: (panel) => (this.panel = panel),
      close: () => this.#close(),
      fullscreen: () => void (document.fullscreenElement ? document.exitFullscreen() : this.requestFullscreen()),
    });
  }

  #openNote(id: number): void {
    this.session?.dismiss();
    this.panel = "notes";
    void this.updateComplete.then(() => {
      const entries = this.session?.highlights.list ?? [];
      const note = this.renderRoot.querySelectorAll(".note")[entries.findIndex((entry) => entry.id === id)];
      note?.querySelector("textarea")?.focus();
    });
  }

  /** Only what a book can link to leaves it, only when the user agrees, and it learns nothing of this page. */
  async #follow(href: string): Promise<void> {
    const url = URL.parse(href);
    if (!url || !["http:", "https:", "mailto:", "tel:"].includes(url.protocol)) return;
    const agreed = await confirm({ heading: "Leave the book?", text: url.href, action: "Open" });
    if (agreed) open(url, "_blank", "noopener,noreferrer");
  }

  #lookUp(text: string): void {
    const address = this.session?.fetched.book.dictionary?.replaceAll(
      "{word}",
      encodeURIComponent(text.trim().slice(0, 100)),
    );
    if (address) open(address, "_blank", "noopener,noreferrer");
  }

  #closePanel(): void {
    this.renderRoot.querySelector<HTMLDialogElement>("dialog.panel")?.close();
  }

  /** Keys go to the text again. */
  #panelClosed(): void {
    this.panel = undefined;
    void this.session?.engine.call("focus");
  }

  #close(): void {
    this.longbox.back(`/issue/${this.subject.cvIssueId ?? ""}`);
  }

  #leave(): void {
    this.session?.release();
    this.session = undefined;
    this.panel = undefined;
  }
}

/** A click beside the panel. */
function closeOutside(event: MouseEvent): void {
  if (event.target === event.currentTarget && event.clientX < (event.currentTarget as HTMLElement).offsetLeft)
    (event.currentTarget as HTMLDialogElement).close();
}
