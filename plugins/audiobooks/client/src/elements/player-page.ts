import type { AudiobookBookmark, AudiobookChapters, AudiobookInfo } from "@longbox/audiobooks/api";
import {
  Action,
  duration,
  element,
  field,
  icon,
  LongboxElement,
  notices,
  pageFrame,
  pageStates,
  wholePageStates,
  Resource,
  showDialog,
  standard,
  submitted,
  t,
} from "@longbox/sdk/ui";
import { html, nothing, type TemplateResult } from "lit";
import { SaveAudiobook } from "../offline/save-audiobook.js";
import { findLinkedBook, findStart, type LinkedBook } from "./linked-book.js";
import { PlayerKeys } from "../player/player-keys.js";
import type { Player } from "../player/player.js";
import { clock } from "../player/timeline.js";
import { playerOf } from "../player/window-player.js";
import "./bookmark-list.js";
import "./chapter-list.js";
import { pageControls } from "./page-controls.js";
import { pageStyles } from "./page-styles.js";
import { playerStyles } from "./player-styles.js";

/** Closer places of the e-book are not worth a button. */
const leastApartSeconds = 30;

/**
 * `/listen/:issueId`: a book with its chapters and bookmarks. `?play=1` begins to play, with `from=` and the id of its
 * e-book where the user is in that.
 */
@element("audiobooks-player-page")
export class PlayerPage extends LongboxElement<{ issueId?: string }> {
  static override properties = { linked: { state: true } };
  static override styles = [standard, pageFrame, notices, playerStyles, pageStyles];
  declare linked: LinkedBook | undefined;

  readonly #action = new Action(this);
  /** The audiobook whose e-book was looked for: positions that are saved do not look for it again. */
  #lookedFor: number | undefined;
  readonly #info = new Resource<AudiobookInfo[]>(this, {
    path: () => `/api/audiobooks/info?issues=${this.#id}`,
    domains: ["audiobooks"],
    arrived: ([info]) => this.#arrived(info),
  });
  readonly #chapters = new Resource<AudiobookChapters>(this, {
    path: () => `/api/audiobooks/issue/${this.#id}/chapters`,
  });
  readonly #bookmarks = new Resource<AudiobookBookmark[]>(this, {
    path: () => `/api/audiobooks/issue/${this.#id}/bookmarks`,
    domains: ["audiobooks"],
  });
  readonly #update = () => {
    this.#tellPlayer(true);
    this.requestUpdate();
  };

  constructor() {
    super();
    this.addController(new PlayerKeys(() => this.#own));
  }

  get #id(): number {
    return Number(this.subject.issueId ?? 0);
  }

  get #player(): Player {
    return playerOf(this.longbox);
  }

  /** The player, when it has this book. */
  get #own(): Player | undefined {
    return this.#player.book?.info.id === this.#id ? this.#player : undefined;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.#player.addEventListener("change", this.#update);
    this.#tellPlayer(true);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#player.removeEventListener("change", this.#update);
    this.#tellPlayer(false);
  }

  override render() {
    return this.#info.render(([info]) => (info ? this.#show(info) : this.#missing()), wholePageStates);
  }

  #tellPlayer(isShown: boolean): void {
    const isOnPage = isShown && this.#own !== undefined;
    if (this.#player.isOnPage === isOnPage) return;
    this.#player.isOnPage = isOnPage;
    this.#player.dispatchEvent(new Event("change"));
  }

  #arrived(info: AudiobookInfo | undefined): void {
    this.#openAsked();
    if (!info || this.#lookedFor === info.id) return;
    this.#lookedFor = info.id;
    findLinkedBook(this.longbox, info).then(
      (linked) => (this.linked = linked),
      // The audiobook is played without it.
      (problem: unknown) => console.warn("The e-book of the audiobook was not found.", problem),
    );
  }

  #openAsked(): void {
    const asked = new URLSearchParams(location.search);
    if (!asked.has("play")) return;
    // A reload must not begin to play.
    history.replaceState(history.state, "", location.pathname);
    const from = Number(asked.get("from"));
    if (from) void this.#action.run(async () => this.#open(await findStart(this.longbox, this.#id, from)));
    else void this.#open();
  }

  #open(position?: number): Promise<boolean> {
    return this.#action.run(async () => {
      // The bar is defined now, if it was not before.
      await this.#player.open(this.#id, { play: true, at: position });
      dispatchEvent(new Event("longbox-audiobooks"));
    });
  }

  #missing() {
    return html`<p class="notice">${t("playerPage.thisAudiobookIsNot")}</p>`;
  }

  #show(info: AudiobookInfo) {
    const by = info.authors.length > 0 ? html`<bdi>${info.authors.join(", ")}</bdi>` : nothing;
    const read = info.narrators.length > 0 ? t("playerPage.readBy", { narrators: info.narrators.join(", ") }) : "";
    const series = seriesOf(info);
    return html`<div class="book">
        <img class="cover" src="${info.cover}?w=640" alt="" @error=${hide} />
        <div class="panel">
          <div>
            <h1>${info.title}</h1>
            <p class="by">${by}${by !== nothing && series !== "" ? " · " : nothing}${series}</p>
            <p class="soft">${[read, duration(info.duration)].filter(Boolean).join(" · ")}</p>
          </div>
          ${this.#own ? html`${pageControls(this.#own, (on) => this.#skipSilences(on))}${this.#further(this.#own)}` : this.#begin(info)}
          ${this.#problems()}
          <div class="row">
            <a class="button" href="/issue/${info.cvIssueId}">${icon("back")}${t("playerPage.aboutThisAudiobook")}</a>
            ${this.linked ? this.#linkedBook(this.linked) : nothing} ${this.#saveButton(info)}
          </div>
        </div>
      </div>
      <div class="lists">
        <section aria-label=${t("playerPage.chapters")}>
          <h2>${t("playerPage.chapters")}</h2>
          ${this.#chapters.render(({ chapters }) => this.#chapterList(chapters), pageStates)}
        </section>
        <section aria-label=${t("playerPage.bookmarks")}>
          <h2>${t("playerPage.bookmarks")}</h2>
          ${this.#bookmarks.render((bookmarks) => this.#bookmarkList(bookmarks), pageStates)}
        </section>
      </div>`;
  }

  #problems() {
    const problem = this.#action.problem ?? this.#own?.problem;
    return problem ? html`<p class="problem" role="alert">${problem}</p>` : nothing;
  }

  #linkedBook({ title, href, place }: LinkedBook) {
    const heard = this.#own?.position ?? this.#info.value?.[0]?.progress?.position ?? 0;
    const isApart = place !== undefined && Math.abs(place.seconds - heard) >= leastApartSeconds;
    return html`${
      isApart
        ? html`<button title=${place.chapter ?? nothing} @click=${() => this.#goTo(place.seconds)}>
            ${t("playerPage.goOnWhereYou")} <span class="time">${clock(place.seconds)}</span>
          </button>`
        : nothing
    }
    ${href === undefined ? nothing : html`<button title=${title} @click=${() => this.#read(href)}>${icon("book")}${t("playerPage.readFromHere")}</button>`}`;
  }

  #saveButton({ id }: AudiobookInfo) {
    const show = () => {
      const content = Object.assign(new SaveAudiobook(), { longbox: this.longbox, subject: { items: [{ id }] } });
      void showDialog({ heading: t("playerPage.saveOnThisDevice"), content });
    };
    return html`<button class="save" @click=${show}>${icon("download")}${t("playerPage.saveOnThisDevice")}</button>`;
  }

  async #read(href: string): Promise<void> {
    await this.#own?.leaveOff();
    this.longbox.navigate(href);
  }

  #begin({ progress }: AudiobookInfo) {
    const word =
      progress === null
        ? t("playerPage.listen")
        : progress.completed
          ? t("playerPage.listenAgain")
          : t("playerPage.continue");
    return html`<div class="row">
      <button class="primary" @click=${() => this.#open()}>${word}</button>
      ${progress && !progress.completed ? html`<span class="time">${t("playerPage.at", { position: clock(progress.position) })}</span>` : nothing}
    </div>`;
  }

  #skipSilences(on: boolean): void {
    if (!this.#player.setSkipping(on)) this.longbox.notify(t("playerPage.thisBrowserCannotTell"), { level: "warning" });
  }

  #further(player: Player) {
    const { further } = player;
    if (!further) return nothing;
    return html`<div class="further" role="status">
      <span>${t("playerPage.isAt", { device: further.device, position: clock(further.position) })}</span>
      <button @click=${() => player.seek(further.position)}>${t("playerPage.goThere")}</button>
    </div>`;
  }

  #chapterList(chapters: AudiobookChapters["chapters"]): TemplateResult {
    return html`<audiobooks-chapters
      .chapters=${chapters}
      .current=${this.#own?.book?.timeline.chapterAt(this.#own.position)}
      @choose=${({ detail }: CustomEvent<number>) => this.#goTo(detail)}
    ></audiobooks-chapters>`;
  }

  #goTo(position: number): void {
    const own = this.#own;
    if (own) own.seek(position);
    else void this.#open(position);
  }

  #bookmarkList(bookmarks: readonly AudiobookBookmark[]): TemplateResult {
    return html`${this.#own ? this.#bookmarkForm(this.#own) : nothing}
      <audiobooks-bookmarks
        .longbox=${this.longbox}
        .subject=${{ issueId: this.#id, bookmarks }}
        @choose=${({ detail }: CustomEvent<number>) => this.#goTo(detail)}
      ></audiobooks-bookmarks>`;
  }

  #bookmarkForm(player: Player) {
    const add = (event: SubmitEvent) => {
      const form = event.currentTarget as HTMLFormElement;
      const { note } = submitted(event);
      const { position } = player;
      const path = `/api/audiobooks/issue/${this.#id}/bookmarks`;
      void this.#action
        .run(() => this.post(path, { position, note: String(note ?? "") }))
        .then((isAdded) => isAdded && form.reset());
    };
    return html`<form class="row" @submit=${add}>
      ${field({ label: t("playerPage.note"), name: "note", placeholder: t("playerPage.whatHappensHere") })}
      <button>${icon("bookmark")}${t("playerPage.bookmarkThisPlace")}</button>
    </form>`;
  }
}

function seriesOf({ series, number }: AudiobookInfo): string {
  if (series === undefined) return "";
  return number ? t("playerPage.bookOf", { series, number }) : series;
}

function hide(event: Event): void {
  (event.target as HTMLElement).hidden = true;
}
