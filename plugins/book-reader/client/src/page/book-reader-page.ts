import { Dialog, dialogs, element, LongboxElement, messageOf, notices, standard, t } from "@longbox/sdk/ui";
import { html, nothing, type PropertyValues, type TemplateResult } from "lit";
import { keyed } from "lit/directives/keyed.js";
import type { EngineEvents } from "../protocol.js";
import { bottomBar, readAlongBar, speechBar, topBar, type Panel } from "./bars.js";
import { commandOf, isForControl, type Command } from "./commands.js";
import type { Arrived } from "./fetching-file.js";
import { follow, lookUp } from "./leaving.js";
import { openingMessage } from "./opening.js";
import { panelDialog } from "./panel-dialog.js";
import { question } from "./questions.js";
import { runCommand } from "./running.js";
import { placeMenu, selectionMenu } from "./selection-menu.js";
import { Session } from "./session.js";
import { pageStyle } from "./style.js";

/** The part of the width on each side where a tap turns the page. */
const edge = 0.3;

/**
 * `/books/:cvIssueId`: reads a book. `?again` begins it from the start, `?from=` and the id of its audiobook where the
 * user listened.
 */
@element("book-reader-page")
export class BookReaderPage extends LongboxElement<{ cvIssueId?: string }> {
  static override properties = {
    session: { state: true },
    problem: { state: true },
    arrived: { state: true },
    panel: { state: true },
    quiet: { state: true },
  };
  static override styles = [standard, dialogs, notices, ...pageStyle];

  declare session: Session | undefined;
  declare problem: string;
  /** Of a large book that is being fetched. */
  declare arrived: Arrived | undefined;
  declare panel: Panel | undefined;
  /** Whether the bars are out of the way. */
  declare quiet: boolean;
  readonly #dialog = new Dialog(this);
  #opening = 0;
  #fetching = new AbortController();
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

  override updated(): void {
    placeMenu(this.renderRoot, this.renderRoot.querySelector("iframe"));
  }

  async #openPanel(panel: Panel): Promise<void> {
    this.panel = panel;
    await this.#dialog.open();
    this.renderRoot.querySelector('dialog [aria-current="location"]')?.scrollIntoView({ block: "center" });
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
              title=${t("bookReaderPage.textOfTheBook")}
              src="/api/book-reader/frame"
              allow="autoplay"
            ></iframe>`,
          )
    }
    ${session ? this.#rest(session) : nothing}
    ${session || problem ? nothing : openingMessage(this.arrived, () => this.#close())}`;
  }

  #trouble(problem: string): TemplateResult {
    return html`<main class="message">
      <h1>${t("bookReaderPage.thisBookCannotBe")}</h1>
      <p role="alert">${problem}</p>
      <p><button type="button" class="primary" @click=${() => this.#close()}>${t("bookReaderPage.back")}</button></p>
    </main>`;
  }

  #top(session: Session): TemplateResult {
    return topBar(session, {
      close: () => this.#close(),
      open: (panel) => void this.#openPanel(panel),
      bookmark: () => this.#run("bookmark"),
      speak: () => this.#run("speak"),
      listen: () => void this.#listen(session),
    });
  }

  #rest(session: Session): TemplateResult {
    const { engine, speaking } = session;
    const open = (panel: Panel) => void this.#openPanel(panel);
    return html`${bottomBar(session, {
        turn: (to) => void engine.call("turn", to),
        goTo: (fraction) => void engine.call("goToFraction", fraction),
      })}
      ${speechBar(session, { speak: () => session.speak(), skip: (to) => speaking.skip(to), end: () => speaking.end(), open })}
      ${readAlongBar(session, (command) => void engine.call("readAlong", command, session.layout.speechRate))}
      ${selectionMenu(session, { note: (id) => this.#openNote(id), lookUp: (text) => lookUp(text, session.fetched.book.dictionary) })}
      ${question(session)}
      ${panelDialog(this.#dialog, { session, panel: this.panel }, { closed: () => this.#panelClosed(), open })}
      <p class="hidden" role="status">
        ${session.shown ? t("bookReaderPage.pageOf", { page: session.shown.page + 1, pages: session.shown.pages }) : ""}
      </p>`;
  }

  async #open(): Promise<void> {
    const opening = ++this.#opening;
    this.#leave();
    this.problem = "";
    this.#fetching = new AbortController();
    const { signal } = this.#fetching;
    // Each book gets a frame of its own, with an engine of its own.
    this.requestUpdate();
    await this.updateComplete;
    const asked = new URLSearchParams(location.search);
    // A reload must not take the user back.
    if (asked.has("from")) history.replaceState(history.state, "", location.pathname);
    try {
      const session = await Session.open({
        longbox: this.longbox,
        cvIssueId: Number(this.subject.cvIssueId),
        again: asked.has("again"),
        from: Number(asked.get("from")) || undefined,
        frame: this.#loadedFrame(),
        signal,
        arriving: (arrived) => opening === this.#opening && (this.arrived = arrived),
        changed: () => this.requestUpdate(),
        listen: () => this.#listeners(),
      });
      if (opening !== this.#opening || !this.isConnected) return session.release();
      this.session = session;
      document.title = `${session.title} · Longbox`;
      void session.engine.call("focus");
    } catch (problem) {
      // A book that is protected is known to be before all of it is there.
      if (opening === this.#opening && !signal.aborted) this.problem = messageOf(problem);
      if (opening === this.#opening) this.#fetching.abort();
    }
  }

  #loadedFrame(): Promise<HTMLIFrameElement> {
    const frame = this.renderRoot.querySelector("iframe");
    if (!frame) return Promise.reject(new Error("The page has no frame."));
    return new Promise((resolve) => frame.addEventListener("load", () => resolve(frame), { once: true }));
  }

  #listeners() {
    return {
      tapped: ({ x, width, turns }: EngineEvents["tapped"]) => this.#tapped(x / width, turns),
      wheel: ({ to }: EngineEvents["wheel"]) => void this.session?.engine.call("turn", to),
      key: (key: EngineEvents["key"]) => this.#run(commandOf(key)),
      externalLink: ({ href }: EngineEvents["externalLink"]) => void follow(href),
      failed: ({ message }: EngineEvents["failed"]) => this.longbox.notify(message, { level: "warning" }),
    };
  }

  #tapped(part: number, turns: boolean): void {
    const { session } = this;
    if (!session) return;
    if (session.selected || session.tapped) session.dismiss();
    else if (turns && part < edge) void session.engine.call("turn", "left");
    else if (turns && part > 1 - edge) void session.engine.call("turn", "right");
    else this.quiet = !this.quiet;
  }

  readonly #pressed = (event: KeyboardEvent): void => {
    if (!this.session || isForControl(event) || this.panel) return;
    const { key, code, ctrlKey: ctrl, altKey: alt, shiftKey: shift } = event;
    const command = event.metaKey ? undefined : commandOf({ key, code, ctrl, alt, shift });
    if (!command) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    this.#run(command);
  };

  #run(command: Command | undefined): void {
    const { session } = this;
    if (!session || !command) return;
    runCommand(command, session, {
      open: (panel) => void this.#openPanel(panel),
      close: () => this.#close(),
      fullscreen: () => void (document.fullscreenElement ? document.exitFullscreen() : this.requestFullscreen()),
    });
  }

  #openNote(id: number): void {
    this.session?.dismiss();
    void this.#openPanel("notes").then(() => {
      const entries = this.session?.highlights.list ?? [];
      const note = this.renderRoot.querySelectorAll(".note")[entries.findIndex((entry) => entry.id === id)];
      note?.querySelector("textarea")?.focus();
    });
  }

  /** Goes on in the audiobook, at this place. */
  async #listen(session: Session): Promise<void> {
    await session.keepPlace();
    if (session.audiobook) this.longbox.navigate(session.audiobook.href);
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
    this.#fetching.abort();
    this.arrived = undefined;
    this.session?.release();
    this.session = undefined;
    this.panel = undefined;
  }
}
