import { Dialog, dialogs, icon, notice, Resource, t, trouble } from "@longbox/sdk/ui";
import { css, html, nothing } from "lit";
import { customElement, state } from "lit/decorators.js";
import { HeldHeight } from "./home/held-height.js";
import "./home/home-parts.js";
import "./home/home-shelves.js";
import "../elements/scan-progress.js";
import "../elements/slot.js";
import type { LibraryList } from "@longbox/collection/api";
import { inOrder, type Arrangement } from "../shell/arrangement.js";
import { keyOf, type SlotEntry } from "../shell/contributions.js";
import { Watch } from "../shell/observable.js";
import { page } from "../styles/index.js";
import { Page } from "./page.js";

/** The shelves of the interface itself, after those of plugins. */
const own: readonly SlotEntry[] = [
  { part: undefined, element: "lb-home-added", title: t("home.recentlyAddedSeries"), order: 200 },
  { part: undefined, element: "lb-home-followed", title: t("home.followed"), order: 210 },
];

/** The home page: what to read, what is new, and what plugins add, as the user arranged it. */
@customElement("lb-home-page")
export class HomePage extends Page {
  @state() private arrangement: Arrangement = { order: [], hidden: [] };
  readonly #counts = new Resource<Record<string, number>>(this, {
    path: () => (this.longbox.may("library.view") ? "/api/collection/counts" : undefined),
    domains: ["collection"],
  });
  readonly #libraries = new Resource<LibraryList>(this, {
    path: () => (this.longbox.may("library.view") ? "/api/libraries" : undefined),
    domains: ["libraries"],
  });
  readonly #arranged = new Resource<Arrangement>(this, {
    path: () => (this.longbox.may("library.view") ? "/api/home" : undefined),
    arrived: (arrangement) => this.#remember(arrangement),
  });
  readonly #arranging = new Dialog(this);
  readonly #held = new HeldHeight(this, "lb-slot[name=home]", () => this.longbox.isBusy);

  constructor() {
    super();
    new Watch(this, () => [this.longbox.contributions.parts, this.longbox.session.state]);
  }

  static override styles = [
    page,
    dialogs,
    css`
      .page-head {
        flex-wrap: nowrap;
      }
      lb-slot[name="home"] {
        display: grid;
        align-content: start;
        gap: var(--lb-space-6);
        min-width: 0;
      }
      lb-slot[name="home"] > * {
        min-width: 0;
      }
    `,
  ];

  override connectedCallback(): void {
    super.connectedCallback();
    // Until the answer is there, as it was last time, so that nothing changes its place.
    const kept = localStorage.getItem(this.#key);
    if (kept !== null) this.arrangement = JSON.parse(kept) as Arrangement;
  }

  override render() {
    const all = this.#counts.value?.["all"];
    const nothingYet = all === 0 && (this.#libraries.value?.libraries.length ?? 0) === 0;
    const entries = this.#entries();
    const shown = entries.filter((entry) => !this.arrangement.hidden.includes(keyOf(entry)));
    return html`
      <div class="page-head">
        <div>
          <h1>
            ${t("home.greeting", { greeting: greeting(new Date().getHours()), name: this.longbox.user.username })}
          </h1>
          <p class="label" role="status">${this.#count(all)}</p>
        </div>
        <button
          class="quiet round"
          aria-haspopup="dialog"
          aria-label=${t("home.arrange")}
          title=${t("home.arrangeTheHomePage")}
          @click=${() => this.#arranging.open()}
        >
          ${icon("settings")}
        </button>
      </div>
      <lb-scan-progress .longbox=${this.longbox}></lb-scan-progress>
      ${nothingYet || this.#libraries.error !== undefined ? this.#empty() : nothing}
      <lb-slot name="home" .longbox=${this.longbox} .entries=${shown}></lb-slot>
      ${this.#arranging.render(t("home.arrangeTheHomePage"), () => this.#parts(entries))}
    `;
  }

  /** How much there is; that it is on its way, or a line of the same height. */
  #count(all: number | undefined): string {
    if (all !== undefined) return t("home.seriesInTheBox", { all });
    const isOnItsWay = this.#counts.error === undefined && this.longbox.may("library.view");
    return isOnItsWay ? t("home.oneMoment") : "\u00a0";
  }

  /**
   * What plugins show is listed first, and at the first visit its height is unknown: the page's own shelves come after
   * it.
   */
  #entries(): readonly SlotEntry[] {
    const { contributions } = this.longbox;
    const offered = contributions.inSlot("home", (permission) => this.longbox.may(permission));
    const entries = [...offered, ...(this.#held.isKnown && contributions.isListed ? own : [])].sort(
      (one, other) => one.order - other.order,
    );
    return inOrder(entries, keyOf, this.arrangement.order);
  }

  #parts(entries: readonly SlotEntry[]) {
    return html`<p class="soft">${t("home.chooseWhatTheHome")}</p>
      <lb-home-parts
        .entries=${entries.filter(({ title }) => title !== undefined)}
        .arrangement=${this.arrangement}
        @arranged=${({ detail }: CustomEvent<Arrangement>) => this.#arrange(detail)}
      ></lb-home-parts>`;
  }

  #arrange(arrangement: Arrangement): void {
    this.#remember(arrangement);
    void this.attempt(async () => this.#arranged.put(await this.post<Arrangement>("/api/home", arrangement)));
  }

  #remember(arrangement: Arrangement): void {
    this.arrangement = arrangement;
    localStorage.setItem(this.#key, JSON.stringify(arrangement));
  }

  get #key(): string {
    return `longbox.home ${this.longbox.user.id}`;
  }

  #empty() {
    if (this.#libraries.error !== undefined)
      return trouble(this.#libraries.error, () => void this.#libraries.refresh());
    const isManager = this.longbox.may("library.manage");
    return notice({
      drawing: "box",
      heading: t("home.theLibraryIsEmpty"),
      text: isManager ? t("home.chooseAFolderThat") : t("home.nothingHasBeenAdded"),
      action: isManager ? { label: t("home.addALibrary"), icon: "plus", href: "/welcome" } : undefined,
    });
  }
}

function greeting(hour: number): string {
  if (hour < 5) return t("home.stillUp");
  if (hour < 12) return t("home.goodMorning");
  return hour < 18 ? t("home.goodAfternoon") : t("home.goodEvening");
}
