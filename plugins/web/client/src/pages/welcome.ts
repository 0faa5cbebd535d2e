import { Action, cover, covers, field, problem, Resource, submitted, t } from "@longbox/sdk/ui";
import { html, nothing } from "lit";
import { customElement, state } from "lit/decorators.js";
import "../elements/box-front.js";
import "../elements/library-form.js";
import "../elements/scan-progress.js";
import "../elements/slot.js";
import { ApiFailure } from "../shell/api.js";
import { Watch } from "../shell/observable.js";
import type { CollectionCounts, SeriesRow } from "@longbox/collection/api";
import type { RunningState } from "@longbox/files/api";
import { base, buttons, forms, type } from "../styles/index.js";
import { Page } from "./page.js";
import "./welcome/restore-form.js";
import { found } from "./welcome/found.js";
import { welcomeStyle } from "./welcome/style.js";

/** Subjects of the slots; the same objects each time, so that their elements are not told of nothing. */
const nowhere = {};
const underWay = { finished: false };
const over = { finished: true };

/** The first visit: create an account, add a library, and watch the first scan. */
@customElement("lb-welcome-page")
export class WelcomePage extends Page {
  readonly #account = new Action(this);
  @state() private wantsToken = false;
  @state() private scanning = false;
  /** The scan that was known before the library was created; a different one is the new library's. */
  private scanBefore: string | null | undefined;

  readonly #scan = new Resource<RunningState>(this, {
    path: () => (this.#signedIn() ? "/api/scan-folder" : undefined),
    domains: ["scanFolder"],
  });
  readonly #arrived = new Resource<readonly SeriesRow[]>(this, {
    path: () => (this.scanning ? "/api/collection?sort=added&limit=12" : undefined),
    domains: ["collection", "scanFolder"],
  });
  readonly #counts = new Resource<CollectionCounts>(this, {
    path: () => (this.scanning ? "/api/collection/counts" : undefined),
    domains: ["collection", "scanFolder"],
  });

  constructor() {
    super();
    new Watch(this, () => [this.longbox.session.state]);
  }

  static override styles = [base, type, buttons, forms, covers, welcomeStyle];

  override render() {
    if (!this.#signedIn()) return this.#first();
    return this.scanning ? this.#filling() : this.#library();
  }

  #first() {
    const state = this.longbox.session.state.value;
    const token = this.wantsToken || (state.kind === "first-run" && state.needsToken);
    return html`<lb-box-front heading=${t("welcome.welcome")} step=${t("welcome.of", { step: 1, all: 3 })}>
      <p class="intro soft">${t("welcome.firstCreateYourAccount")}</p>
      <form @submit=${this.#makeAccount}>
        ${problem(this.#account.problem)}
        ${field({ name: "username", label: t("welcome.name"), required: true, autocomplete: "username", problem: this.#account.problemOf("username"), hint: t("welcome.n2To32Letters") })}
        ${field({ name: "password", label: t("welcome.password"), type: "password", required: true, minLength: 8, autocomplete: "new-password", problem: this.#account.problemOf("password"), hint: t("welcome.atLeast8Characters") })}
        ${token ? field({ name: "token", label: t("welcome.setupToken"), required: true, autocomplete: "off", hint: t("welcome.theServerPrintedIt") }) : nothing}
        <button class="primary" ?disabled=${this.#account.busy}>${t("welcome.createTheAccount")}</button>
      </form>
      <lb-restore-form .longbox=${this.longbox} ?needsToken=${token}></lb-restore-form>
    </lb-box-front>`;
  }

  #library() {
    return html`<lb-box-front heading=${t("welcome.yourLibrary")} step=${t("welcome.of", { step: 2, all: 3 })} wide>
      <p class="intro soft">${t("welcome.chooseTheFolderThat")}</p>
      <lb-library-form .longbox=${this.longbox} @saved=${this.#made}
        ><a class="button quiet" href="/">${t("welcome.later")}</a></lb-library-form
      >
      <lb-slot name="welcome.library" .longbox=${this.longbox} .subject=${nowhere} @done=${this.#made}></lb-slot>
    </lb-box-front>`;
  }

  #filling() {
    const scan = this.#scan.value;
    const finished = scan !== undefined && !scan.running && scan.startedAt !== this.scanBefore;
    const series = this.#arrived.value ?? [];
    const all = this.#counts.value?.["all"] ?? 0;
    const isEmpty = finished && all === 0;
    return html`<lb-box-front
      heading=${finished ? t("welcome.yourLibraryIsReady") : t("welcome.readingYourLibrary")}
      step=${t("welcome.of", { step: 3, all: 3 })}
      wide
    >
      <lb-scan-progress .longbox=${this.longbox}></lb-scan-progress>
      <div class="arriving" aria-hidden="true">
        ${series.map((row) => cover({ path: row.cover, title: row.title, sizes: "96px", isEager: true }))}
      </div>
      <div class="intro" role="status">${found(this.#counts.value, { finished })}</div>
      <lb-slot name="welcome" .longbox=${this.longbox} .subject=${finished ? over : underWay}></lb-slot>
      <div class="row">
        <a class="button ${finished && !isEmpty ? "primary" : ""}" href="/library">${t("welcome.openTheLibrary")}</a>
        ${isEmpty ? html`<a class="button primary" href="/libraries">${t("welcome.chooseAnotherFolder")}</a>` : nothing}
      </div>
    </lb-box-front>`;
  }

  async #makeAccount(event: Event): Promise<void> {
    const { username = "", password = "", token } = submitted(event);
    const isMade = await this.#account.run(() =>
      this.longbox.session.register({ username: username.trim(), password }, token),
    );
    if (isMade) return this.longbox.navigate("/welcome", { replace: true });
    const { error } = this.#account;
    if (error instanceof ApiFailure && (error.status === 403 || error.status === 401)) this.wantsToken = true;
  }

  #made(): void {
    this.scanBefore = this.#scan.value?.startedAt;
    this.scanning = true;
    void this.#scan.refresh();
  }

  #signedIn(): boolean {
    return this.longbox.session.state.value.kind === "signed-in";
  }
}
