import type { ApiKeyState, Profile } from "@longbox/kernel/api";
import {
  Action,
  choice,
  confirm,
  day,
  field,
  icon,
  moment,
  problem,
  Resource,
  rich,
  shownOnce,
  skeleton,
  submitted,
  t,
  toggle,
  trouble,
} from "@longbox/sdk/ui";
import { css, html, nothing } from "lit";
import { customElement, state } from "lit/decorators.js";
import "../elements/slot.js";
import "../elements/theme-switch.js";
import { languages } from "../shell/language.js";
import { forms, page } from "../styles/index.js";
import { Page } from "./page.js";

/** The user's own account: password, API key, sessions and appearance. */
@customElement("lb-account-page")
export class AccountPage extends Page {
  @state() private newKey: string | undefined;
  readonly #changing = new Action(this);

  readonly #profile = new Resource<Profile>(this, { path: () => "/api/auth/profile" });
  readonly #key = new Resource<ApiKeyState>(this, { path: () => "/api/auth/apikey" });

  static override styles = [
    page,
    forms,
    css`
      .cards {
        display: grid;
        grid-template-columns: repeat(auto-fit, minmax(min(100%, 22rem), 1fr));
        gap: var(--lb-space-4);
        max-width: 68rem;
      }
      lb-slot {
        display: contents;
      }
      .card h2 {
        margin: 0;
      }
      .exact {
        text-transform: none;
      }
    `,
  ];

  override render() {
    const profile = this.#profile.value;
    if (this.#profile.error !== undefined && !profile)
      return trouble(this.#profile.error, () => void this.#profile.refresh(), "page");
    return html`
      <div class="page-head">
        <div>
          <h1>${this.longbox.user.username}</h1>
          ${profile ? html`<p class="label">${t("account.hereSince", { role: this.longbox.texts.said(profile.roleLabel), createdAt: day(profile.createdAt) })}</p>` : nothing}
        </div>
        <button @click=${this.#signOut}>${icon("sign-out")}${t("account.signOut")}</button>
      </div>
      ${profile ? html`<div class="cards">${this.#looks(profile)} ${this.#password()} ${this.#apiKey()} ${this.#email(profile)} ${this.#sessions()}<lb-slot name="account" .longbox=${this.longbox}></lb-slot></div>` : skeleton()}
    `;
  }

  #looks(profile: Profile) {
    return html`<section class="card stack">
      <h2>${t("account.howItLooks")}</h2>
      <div class="row">
        <span>${t("account.theme")}</span><lb-theme-switch .longbox=${this.longbox}></lb-theme-switch>
      </div>
      ${choice({ label: t("account.language"), choices: this.#languages() }, this.longbox.language.chosen ?? "", (tag) => this.#speak(tag))}
      <div>${toggle(t("account.hideContentForAdults"), profile.hideMature, (hide) => this.#hide(hide))}</div>
      <p class="hint">${t("account.hidesRestrictedSeriesFrom")}</p>
    </section>`;
  }

  #languages() {
    return [["", t("account.asTheBrowser")] as const, ...languages];
  }

  async #speak(tag: string): Promise<void> {
    await this.attempt(() => this.longbox.language.choose(tag === "" ? null : tag, this.longbox.user.id));
  }

  #password() {
    return html`<section class="card stack">
      <h2>${t("account.password")}</h2>
      <form @submit=${this.#changePassword}>
        ${problem(this.#changing.problem)}
        <input hidden type="text" name="username" autocomplete="username" .value=${this.longbox.user.username} />
        ${field({ name: "current", label: t("account.presentPassword"), type: "password", required: true, autocomplete: "current-password", problem: this.#changing.problemOf("current") })}
        ${field({ name: "next", label: t("account.newPassword"), type: "password", required: true, minLength: 8, autocomplete: "new-password", problem: this.#changing.problemOf("next"), hint: t("account.atLeast8Characters") })}
        <div><button>${t("account.changeIt")}</button></div>
      </form>
    </section>`;
  }

  #apiKey() {
    const key = this.#key.value;
    return html`<section class="card stack">
      <h2>${t("account.apiKey")}</h2>
      <p class="soft">${rich("account.forAppsAndScripts", { strong: (inside: unknown) => html`<b>${inside}</b>` })}</p>
      ${
        this.newKey
          ? shownOnce({
              secret: this.newKey,
              notice: t("account.copyItNowIt"),
              copied: t("account.theKeyWasCopied"),
              run: (copying, copied) => this.attempt(copying, copied),
            })
          : nothing
      }
      ${key?.exists && !this.newKey ? html`<p class="label">${key.prefix ? html`<span class="exact">${key.prefix}…</span>` : t("account.aKeyExists")}${key.createdAt ? html` · ${t("account.made", { createdAt: day(key.createdAt) })}` : nothing}${key.lastUsedAt ? html` · ${t("account.lastUsed", { lastUsedAt: moment(key.lastUsedAt) })}` : nothing}</p>` : nothing}
      <div class="row">
        <button @click=${this.#makeKey}>
          ${icon("key")}${key?.exists ? t("account.replaceIt") : t("account.makeAKey")}
        </button>
        ${key?.exists ? html`<button class="danger" @click=${this.#revokeKey}>${t("account.revokeIt")}</button>` : nothing}
      </div>
    </section>`;
  }

  #email(profile: Profile) {
    return html`<section class="card stack">
      <h2>${t("account.eMail")}</h2>
      <form @submit=${this.#changeEmail}>
        ${field({ name: "email", label: t("account.address"), type: "email", value: profile.email ?? "", autocomplete: "email" })}
        <div><button>${t("account.save")}</button></div>
      </form>
    </section>`;
  }

  #sessions() {
    return html`<section class="card stack">
      <h2>${t("account.otherDevices")}</h2>
      <p class="soft">${t("account.signsYouOutOn")}</p>
      <div><button @click=${this.#signOutOthers}>${t("account.signOutTheOthers")}</button></div>
    </section>`;
  }

  async #hide(hide: boolean): Promise<void> {
    await this.attempt(() => this.longbox.api("/api/auth/hide-mature", { method: "POST", body: { hide } }));
    await this.#profile.refresh();
  }

  async #changePassword(event: Event): Promise<void> {
    const form = event.target as HTMLFormElement;
    const { current, next } = submitted(event);
    if (
      await this.#changing.run(
        () => this.post("/api/auth/password", { current, next }),
        t("account.yourPasswordIsChanged"),
      )
    )
      form.reset();
  }

  async #changeEmail(event: Event): Promise<void> {
    const { email } = submitted(event);
    await this.attempt(
      () => this.longbox.api("/api/auth/email", { method: "POST", body: { email } }),
      t("account.saved"),
    );
    void this.#profile.refresh();
  }

  async #makeKey(): Promise<void> {
    if (this.#key.value?.exists) {
      const sure = await confirm({
        heading: t("account.replaceYourApiKey"),
        text: t("account.appsAndScriptsThat"),
        action: t("account.replace"),
      });
      if (!sure) return;
    }
    await this.attempt(async () => {
      this.newKey = (await this.longbox.api<{ key: string }>("/api/auth/apikey", { method: "POST" })).key;
    });
    void this.#key.refresh();
  }

  async #revokeKey(): Promise<void> {
    await this.attempt(() => this.longbox.api("/api/auth/apikey", { method: "DELETE" }), t("account.theKeyNoLonger"));
    this.newKey = undefined;
    void this.#key.refresh();
  }

  async #signOutOthers(): Promise<void> {
    await this.attempt(
      () => this.longbox.api("/api/auth/logout-others", { method: "POST" }),
      t("account.yourOtherDevicesAre"),
    );
  }

  async #signOut(): Promise<void> {
    await this.attempt(() => this.longbox.session.signOut());
  }
}
