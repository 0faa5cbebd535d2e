import type { LongboxClient } from "@longbox/sdk/client";
import { css, html, LitElement, nothing, type TemplateResult } from "lit";
import { customElement, property, query, state } from "lit/decorators.js";
import { follow } from "./going.js";
import { progressBar, progressStyle } from "./progress.js";
import type { ListDocument, WantOutcome } from "./shapes.js";
import { dialogStyle, style } from "./style.js";
import { facts, messageOf, nameOf, wanted } from "./wording.js";

/** A list's name, how far one has come, and what can be done with it. Fires `changed`. */
@customElement("lists-head")
export class ListsHead extends LitElement {
  @property({ attribute: false }) longbox!: LongboxClient;
  @property({ attribute: false }) list!: ListDocument;
  @state() private renaming = false;
  @state() private busy = false;
  @query("dialog") private dialog!: HTMLDialogElement;

  static override styles = [
    style,
    progressStyle,
    dialogStyle,
    css`
      :host {
        display: grid;
        gap: var(--lb-space-3);
      }
      .bar {
        max-width: 28rem;
      }
    `,
  ];

  override render(): TemplateResult {
    const { list } = this;
    return html`<p class="facts"><a href="/lists" @click=${this.#go}>Reading lists</a></p>
      ${this.renaming ? this.#rename() : html`<h1>${list.name}</h1>`}
      <div class="bar">${progressBar(list)}</div>
      <p class="facts">${facts(list)}${list.public ? (list.mine ? " · public" : " · shared by somebody else") : nothing}</p>
      <div class="row">${this.#read()} ${this.#actions()}</div>
      <dialog aria-labelledby="sure">
        <div class="inside">
          <h2 id="sure">Delete ${list.name}?</h2>
          <p class="soft">The order goes; issues and files stay as they are.</p>
          <div class="row"><button class="danger" ?disabled=${this.busy} @click=${() => this.#remove()}>Delete the list</button><button @click=${() => this.dialog.close()}>Keep it</button></div>
        </div>
      </dialog>`;
  }

  /** The first issue that is here and not read yet. */
  #read(): TemplateResult | typeof nothing {
    const next = this.list.items.find((item) => item.owned && item.read === false);
    if (!next || !this.longbox.may("reader.read")) return nothing;
    return html`<a class="button strong" href="/read/${next.cvIssueId}" @click=${this.#go}>${(this.list.read ?? 0) > 0 ? "Go on with" : "Begin with"} ${nameOf(next)}</a>`;
  }

  #actions(): TemplateResult {
    const { list, busy } = this;
    const mayWant = this.longbox.may("library.manage") && list.owned < list.total;
    return html`${mayWant ? html`<button ?disabled=${busy} @click=${() => this.#want()}>${busy ? "One moment …" : "Want what is missing"}</button>` : nothing}
      ${list.mine && this.longbox.may("lists.share") ? html`<button ?disabled=${busy} aria-pressed=${list.public} @click=${() => this.#publish()}>${list.public ? "Public" : "Make it public"}</button>` : nothing}
      <a class="button" href="/api/lists/${list.id}/cbl" download>Export</a>
      ${list.mine ? html`<button ?disabled=${busy} @click=${() => this.#beginRenaming()}>Rename</button><button class="danger" ?disabled=${busy} @click=${() => this.dialog.showModal()}>Delete</button>` : nothing}`;
  }

  #rename(): TemplateResult {
    return html`<form @submit=${this.#renamed} @keydown=${(event: KeyboardEvent) => event.key === "Escape" && (this.renaming = false)}>
      <label>Name<input name="name" required maxlength="200" autocomplete="off" .value=${this.list.name} /></label>
      <button class="strong" ?disabled=${this.busy}>Save</button>
      <button type="button" @click=${() => (this.renaming = false)}>Leave it</button>
    </form>`;
  }

  async #beginRenaming(): Promise<void> {
    this.renaming = true;
    await this.updateComplete;
    this.renderRoot.querySelector("input")?.select();
  }

  readonly #go = (event: MouseEvent): void => follow(event, this.longbox);

  readonly #renamed = (event: SubmitEvent): void => {
    event.preventDefault();
    const name = String(new FormData(event.target as HTMLFormElement).get("name") ?? "").trim();
    void this.#attempt(async () => {
      await this.longbox.api(this.#path, { method: "PATCH", body: { name } });
      this.renaming = false;
    });
  };

  get #path(): string {
    return `/api/lists/${this.list.id}`;
  }

  #publish(): Promise<void> {
    return this.#attempt(async () => {
      const answer = await this.longbox.api<{ public: boolean }>(`${this.#path}/public`, { method: "POST", body: { public: !this.list.public } });
      this.longbox.notify(answer.public ? "Everybody can read this list now." : "Only you can read this list now.", { level: "success" });
    });
  }

  #want(): Promise<void> {
    return this.#attempt(async () => {
      const outcome = await this.longbox.api<WantOutcome>(`${this.#path}/want`, { method: "POST" });
      this.longbox.notify(wanted(outcome), { level: outcome.failed > 0 ? "warning" : "success" });
    });
  }

  #remove(): Promise<void> {
    return this.#attempt(async () => {
      await this.longbox.api(this.#path, { method: "DELETE" });
      this.dialog.close();
      this.longbox.navigate("/lists", { replace: true });
    });
  }

  async #attempt(work: () => Promise<void>): Promise<void> {
    this.busy = true;
    try {
      await work();
      this.dispatchEvent(new CustomEvent("changed"));
    } catch (fault) {
      this.longbox.notify(messageOf(fault), { level: "danger" });
    } finally {
      this.busy = false;
    }
  }
}
