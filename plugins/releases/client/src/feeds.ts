import type { FeedKey, MadeKey } from "@longbox/releases/api";
import { Action, day, Dialog, element, icon, LongboxElement, problem, Resource, t } from "@longbox/sdk/ui";
import { html, nothing, type TemplateResult } from "lit";
import { state } from "lit/decorators.js";
import { style } from "./style.js";

/** The addresses under which a calendar or a feed reader finds the pull list. */
@element("releases-feeds")
export class ReleasesFeeds extends LongboxElement {
  static override styles = style;
  @state() private made: MadeKey | undefined;
  readonly #key = new Resource<FeedKey>(this, { path: "/api/releases/calendar-key" });
  readonly #action = new Action(this, { after: () => this.#key.refresh() });
  readonly #dialog = new Dialog(this);

  override render(): TemplateResult {
    return html`<button aria-haspopup="dialog" @click=${() => void this.#dialog.open()}>
        ${icon("list")} ${t("feeds.calendarAndFeed")}
      </button>
      ${this.#dialog.render(t("feeds.calendarAndFeed"), () => this.#content())}`;
  }

  #content(): TemplateResult {
    const madeAt = this.#key.value?.madeAt ?? null;
    return html`<div class="stack">
      <p>${t("feeds.aCalendarOrA")}</p>
      ${this.made ? this.#addresses(this.made) : madeAt === null ? nothing : html`<p class="soft">${t("feeds.aKeyWasMade", { madeAt: day(madeAt) })}</p>`}
      ${problem(this.#action.problem)}
      <div class="row end">
        ${madeAt === null ? nothing : html`<button class="danger" ?disabled=${this.#action.busy} @click=${this.#revoke}>${t("feeds.revokeTheKey")}</button>`}
        <button class="primary" ?disabled=${this.#action.busy} @click=${this.#make}>
          ${madeAt === null ? t("feeds.makeAnAddress") : t("feeds.makeANewAddress")}
        </button>
      </div>
    </div>`;
  }

  #addresses({ calendar, atom }: MadeKey): TemplateResult {
    return html`<p class="soft">${t("feeds.copyThemNowThey")}</p>
      <label>${t("feeds.calendar")} <input readonly .value=${calendar} @focus=${select} /></label>
      <label>${t("feeds.atomFeed")} <input readonly .value=${atom} @focus=${select} /></label>`;
  }

  readonly #make = (): void => {
    void this.#action.run(async () => {
      this.made = await this.post<MadeKey>("/api/releases/calendar-key");
    });
  };

  readonly #revoke = (): void => {
    void this.#action.run(async () => {
      await this.longbox.api("/api/releases/calendar-key", { method: "DELETE" });
      this.made = undefined;
    }, t("feeds.theKeyWasRevoked"));
  };
}

const select = (event: Event): void => (event.target as HTMLInputElement).select();
