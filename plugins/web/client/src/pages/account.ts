import type { ApiKeyState, Profile } from "@longbox/kernel/api";
import {
  Action,
  confirm,
  day,
  field,
  icon,
  moment,
  problem,
  Resource,
  skeleton,
  submitted,
  toggle,
  trouble,
} from "@longbox/sdk/ui";
import { css, html, nothing } from "lit";
import { customElement, state } from "lit/decorators.js";
import "../elements/slot.js";
import "../elements/theme-switch.js";
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
      .card {
        display: grid;
        gap: var(--lb-space-3);
        align-content: start;
      }
      lb-slot {
        display: contents;
      }
      .card h2 {
        margin: 0;
      }
      code {
        display: block;
        padding: var(--lb-space-3);
        border: 1px dashed var(--lb-ink-soft);
        border-radius: var(--lb-radius-s);
        background: var(--lb-page);
        font-family: var(--lb-font-mono);
        overflow-wrap: anywhere;
        user-select: all;
      }
    `,
  ];

  override render() {
    const profile = this.#profile.value;
    if (this.#profile.error !== undefined && !profile)
      return trouble(this.#profile.error, () => void this.#profile.refresh());
    return html`
      <div class="page-head">
        <div>
          <h1>${this.longbox.user.username}</h1>
          ${profile ? html`<p class="label">${profile.role}, here since ${day(profile.createdAt)}</p>` : nothing}
        </div>
        <button @click=${this.#signOut}>${icon("sign-out")}Sign out</button>
      </div>
      ${profile ? html`<div class="cards">${this.#looks(profile)} ${this.#password()} ${this.#apiKey()} ${this.#email(profile)} ${this.#sessions()}<lb-slot name="account" .longbox=${this.longbox}></lb-slot></div>` : skeleton()}
    `;
  }

  #looks(profile: Profile) {
    return html`<section class="card">
      <h2>How it looks</h2>
      <div class="row"><span>Theme</span><lb-theme-switch .longbox=${this.longbox}></lb-theme-switch></div>
      <div>${toggle("Hide content for adults", profile.hideMature, (hide) => void this.#hide(hide))}</div>
      <p class="hint">Hides restricted series from you, here and in every app but OPDS readers.</p>
    </section>`;
  }

  #password() {
    return html`<section class="card">
      <h2>Password</h2>
      <form @submit=${this.#changePassword}>
        ${problem(this.#changing.problem)}
        <input hidden type="text" name="username" autocomplete="username" .value=${this.longbox.user.username} />
        ${field({ name: "current", label: "Present password", type: "password", required: true, autocomplete: "current-password", problem: this.#changing.problemOf("current") })}
        ${field({ name: "next", label: "New password", type: "password", required: true, minLength: 8, autocomplete: "new-password", problem: this.#changing.problemOf("next"), hint: "At least 8 characters. Other devices are signed out." })}
        <div><button>Change it</button></div>
      </form>
    </section>`;
  }

  #apiKey() {
    const key = this.#key.value;
    return html`<section class="card">
      <h2>API key</h2>
      <p class="soft">For apps and scripts that act as you. It is sent as the header <b>X-Api-Key</b>.</p>
      ${
        this.newKey
          ? html`<p><b>Copy it now: it is shown only this once.</b></p>
              <code>${this.newKey}</code>
              <div><button @click=${this.#copyKey}>Copy</button></div>`
          : nothing
      }
      ${key?.exists && !this.newKey ? html`<p class="label">${key.prefix ? `${key.prefix}…` : "A key exists"}${key.createdAt ? `, made ${day(key.createdAt)}` : ""}${key.lastUsedAt ? `, last used ${moment(key.lastUsedAt)}` : ""}</p>` : nothing}
      <div class="row">
        <button @click=${this.#makeKey}>${icon("key")}${key?.exists ? "Replace it" : "Make a key"}</button>
        ${key?.exists ? html`<button class="danger" @click=${this.#revokeKey}>Revoke it</button>` : nothing}
      </div>
    </section>`;
  }

  #email(profile: Profile) {
    return html`<section class="card">
      <h2>E-mail</h2>
      <form @submit=${this.#changeEmail}>
        ${field({ name: "email", label: "Address", type: "email", value: profile.email ?? "", autocomplete: "email" })}
        <div><button>Save</button></div>
      </form>
    </section>`;
  }

  #sessions() {
    return html`<section class="card">
      <h2>Other devices</h2>
      <p class="soft">Signs you out on all other devices.</p>
      <div><button @click=${this.#signOutOthers}>Sign out the others</button></div>
    </section>`;
  }

  async #hide(hide: boolean): Promise<void> {
    await this.attempt(() => this.longbox.api("/api/auth/hide-mature", { method: "POST", body: { hide } }));
    void this.#profile.refresh();
  }

  async #changePassword(event: Event): Promise<void> {
    const form = event.target as HTMLFormElement;
    const { current, next } = submitted(event);
    if (await this.#changing.run(() => this.post("/api/auth/password", { current, next }), "Your password is changed."))
      form.reset();
  }

  async #changeEmail(event: Event): Promise<void> {
    const { email } = submitted(event);
    await this.attempt(() => this.longbox.api("/api/auth/email", { method: "POST", body: { email } }), "Saved.");
    void this.#profile.refresh();
  }

  async #makeKey(): Promise<void> {
    if (this.#key.value?.exists) {
      const sure = await confirm({
        heading: "Replace your API key?",
        text: "Apps and scripts that use the old key stop working at once.",
        action: "Replace",
      });
      if (!sure) return;
    }
    await this.attempt(async () => {
      this.newKey = (await this.longbox.api<{ key: string }>("/api/auth/apikey", { method: "POST" })).key;
    });
    void this.#key.refresh();
  }

  async #copyKey(): Promise<void> {
    await this.attempt(async () => this.#putOnClipboard(), "The key was copied to the clipboard.");
  }

  /** Browsers have no `clipboard` on pages that came over plain HTTP from another machine. */
  async #putOnClipboard(): Promise<void> {
    const clipboard: Clipboard | undefined = navigator.clipboard;
    if (clipboard) return await clipboard.writeText(this.newKey ?? "");
    const shown = this.renderRoot.querySelector("code");
    if (shown) getSelection()?.selectAllChildren(shown);
    if (!document.execCommand("copy"))
      throw new Error("This browser does not let the page copy. Select the key and copy it yourself.");
  }

  async #revokeKey(): Promise<void> {
    await this.attempt(() => this.longbox.api("/api/auth/apikey", { method: "DELETE" }), "The key no longer works.");
    this.newKey = undefined;
    void this.#key.refresh();
  }

  async #signOutOthers(): Promise<void> {
    await this.attempt(
      () => this.longbox.api("/api/auth/logout-others", { method: "POST" }),
      "Your other devices are signed out.",
    );
  }

  async #signOut(): Promise<void> {
    await this.attempt(() => this.longbox.session.signOut());
  }
}
