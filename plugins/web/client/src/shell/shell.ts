import type { Releasable } from "@longbox/sdk";
import type {
  BadgedFacts,
  ClientListPage,
  ClientNotice,
  ClientSubjects,
  LongboxClient,
  OfferedAction,
} from "@longbox/sdk/client";
import { addressOf, language, Toasts } from "@longbox/sdk/ui";
import { LateReports } from "../offline/late-reports.js";
import { SavedItems } from "../offline/saved-items.js";
import { Api, type CallOptions } from "./api.js";
import { Changes } from "./changes.js";
import { Contributions } from "./contributions.js";
import { LanguageChoice } from "./language.js";
import { Offers } from "./offers.js";
import type { PageDefinition } from "./routing/page-table.js";
import { ReplaceableElements } from "./replaceable-elements.js";
import { Router } from "./routing/router.js";
import { described, isDescribed } from "./saying/described.js";
import { holdsPlaces, labelled } from "./saying/labelled.js";
import { errorBeforeSignIn } from "./saying/errors-before-sign-in.js";
import { ServerTexts } from "./saying/server-texts.js";
import { Session } from "./session.js";
import { ThemeChoice } from "./theme.js";

/** Everything that the shell's own pages may use: the client that plugins get, and the parts behind it. */
export class Shell implements LongboxClient {
  readonly #api = new Api();
  readonly #ownPages: readonly PageDefinition[];
  readonly changes = new Changes();
  readonly toasts = new Toasts();
  readonly theme = new ThemeChoice();
  readonly session = new Session(this.#api);
  readonly language = new LanguageChoice(this.#api);
  readonly texts = new ServerTexts((path) => this.#api.call(path));
  readonly contributions = new Contributions(
    { api: this.#api, texts: this.texts },
    this.toasts,
    new ReplaceableElements(customElements),
  );
  readonly offers = new Offers(this);
  readonly offline = new SavedItems(new LateReports(this.#api, () => this.user.id), () => this.user.id);
  readonly router: Router;
  /** What contributed elements get: the client of the SDK and nothing else. */
  readonly forPlugins: LongboxClient;

  constructor(ownPages: readonly PageDefinition[]) {
    this.#ownPages = ownPages;
    this.router = new Router(ownPages);
    this.forPlugins = clientOf(this);
    this.#api.messageOf = (code, details) => this.texts.failed(code, details) ?? errorBeforeSignIn(code);
    // They are for users who have signed in.
    this.#api.textsLoaded = async () => (this.session.state.value.kind === "signed-in" ? this.texts.load() : undefined);
    this.#api.said = (text) => this.texts.said(text);
    this.#api.onSignedOut = () => void this.session.refresh();
    this.session.state.subscribe(() => this.#sessionChanged());
    this.contributions.parts.subscribe(() => this.router.setPages([...this.#ownPages, ...this.#contributedPages()]));
    this.changes.onChanged("plugins", () => this.#refreshContributions());
    addEventListener("online", () => void this.#sendLate());
  }

  async start(): Promise<void> {
    if (this.session.wasSignedIn) this.contributions.askEarly();
    await this.session.refresh();
  }

  /** Whether code of plugins or answers of the server are being loaded. */
  get isBusy(): boolean {
    return this.#api.isBusy || this.contributions.isLoading;
  }

  get user(): LongboxClient["user"] {
    return this.session.user;
  }

  may(permission: string): boolean {
    return this.session.may(permission);
  }

  async api<T>(path: string, options?: CallOptions): Promise<T> {
    return (await this.#inLanguage(path, await this.#api.call<T>(path, options))) as T;
  }

  async list<T>(path: string, options?: CallOptions): Promise<ClientListPage<T>> {
    const page = await this.#api.list<T>(path, options);
    return { ...page, items: (await this.#inLanguage(path, page.items)) as T[] };
  }

  /** An answer of the server with what people see in it said in the language of the document. */
  async #inLanguage(path: string, answer: unknown): Promise<unknown> {
    if (isDescribed(path)) {
      await this.texts.load();
      return described(answer, this.texts);
    }
    if (language === "en" || !holdsPlaces(answer)) return answer;
    await this.texts.load();
    return labelled(answer, (text) => this.texts.said(text));
  }

  onChanged(domain: string, listener: () => void): Releasable {
    return this.changes.onChanged(domain, listener);
  }

  navigate(path: string, options?: { replace?: boolean }): void {
    this.router.navigate(path, options);
  }

  back(fallback: string): void {
    this.router.back(fallback);
  }

  addressOf(path: string): string {
    return addressOf(path);
  }

  notify(message: string, options?: ClientNotice): void {
    this.toasts.add(message, options);
  }

  actions(subjects: ClientSubjects): readonly OfferedAction[] {
    return this.offers.actions(subjects);
  }

  said(text: string): string {
    return this.texts.said(text);
  }

  badges(kind: string, ids: readonly number[]): Promise<ReadonlyMap<number, BadgedFacts>> {
    return this.offers.badges(kind, ids);
  }

  onOffersChanged(listener: () => void): Releasable {
    return this.offers.onChanged(listener);
  }

  /** Sets the document title; a page that shows one thing sets its name. */
  titled(title: string): void {
    document.title = title === "" ? "Longbox" : `${title} · Longbox`;
  }

  #sessionChanged(): void {
    this.#followOffline().catch((thrown: unknown) => console.error("What is saved could not be renewed.", thrown));
    if (this.session.state.value.kind === "signed-in") this.#followLanguage();
    if (this.may("library.view")) {
      this.changes.start();
      this.#refreshContributions();
    } else {
      this.changes.stop();
      this.contributions.clear();
    }
  }

  #followLanguage(): void {
    this.language
      .follow(this.user.id)
      .then(() => this.language.tell(this.user.id))
      .catch((thrown: unknown) => console.warn("The language of the account could not be read.", thrown));
  }

  /** Whose session it is decides what may stay on this device; a server that does not answer decides nothing. */
  async #followOffline(): Promise<void> {
    const { kind } = this.session.state.value;
    if (kind === "signed-in") await Promise.all([this.offline.follow(), this.#sendLate()]);
    else if (kind === "signed-out" || kind === "first-run") await this.offline.forget();
  }

  async #sendLate(): Promise<void> {
    if (this.session.state.value.kind === "signed-in") await this.offline.reports.send();
  }

  #refreshContributions(): void {
    this.contributions
      .refresh()
      .catch((thrown: unknown) => console.error("The plugins' parts of the UI could not be read.", thrown));
  }

  #contributedPages(): readonly PageDefinition[] {
    return this.contributions.parts.value.flatMap((part) =>
      part.pages.map((page) => ({
        ...page,
        plugin: part.name,
        code: part.js,
        load: () => this.contributions.define(part, page.element),
      })),
    );
  }
}

function clientOf(shell: Shell): LongboxClient {
  return Object.freeze({
    api: <T>(path: string, options?: CallOptions) => shell.api<T>(path, options),
    list: <T>(path: string, options?: { signal?: AbortSignal }) => shell.list<T>(path, options),
    onChanged: (domain: string, listener: () => void) => shell.onChanged(domain, listener),
    navigate: (path: string, options?: { replace?: boolean }) => shell.navigate(path, options),
    back: (fallback: string) => shell.back(fallback),
    addressOf,
    get user() {
      return shell.user;
    },
    may: (permission: string) => shell.may(permission),
    notify: (message: string, options?: ClientNotice) => shell.notify(message, options),
    actions: (subjects: ClientSubjects) => shell.actions(subjects),
    said: (text: string) => shell.said(text),
    badges: (kind: string, ids: readonly number[]) => shell.badges(kind, ids),
    onOffersChanged: (listener: () => void) => shell.onOffersChanged(listener),
    offline: shell.offline,
  });
}
