import { Action, Dialog, element, LongboxElement, submitted, t } from "@longbox/sdk/ui";
import { css, html, nothing, type TemplateResult } from "lit";
import { property, state } from "lit/decorators.js";
import { progressBar, progressStyle } from "./progress.js";
import type { ListDocument, WantOutcome } from "@longbox/lists/api";
import { dialogStyle } from "./style.js";
import { facts, joined, nameOf, readingOf, wanted } from "./wording.js";

/** The head of a list: its name, the progress and the actions. Dispatches `changed`. */
@element("lists-head")
export class ListsHead extends LongboxElement {
  @property({ attribute: false }) list!: ListDocument;
  @state() private renaming = false;
  readonly #sure = new Dialog(this);
  readonly #action = new Action(this, { notify: true });

  static override styles = [
    dialogStyle,
    progressStyle,
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
    return html`<p class="facts"><a href="/lists">${t("listHead.readingLists")}</a></p>
      ${this.renaming ? this.#rename() : html`<h1>${list.name}</h1>`}
      <div class="bar">${progressBar(list)}</div>
      <p class="facts">
        ${joined([facts(list), list.public && (list.mine ? t("listHead.public") : t("listHead.sharedByAnotherUser"))])}
      </p>
      <div class="row">
        ${this.#read()} ${this.#want()} ${this.#publish()}<a class="button" href="/api/lists/${list.id}/cbl" download
          >${t("listHead.export")}</a
        >${this.#ownerActions()}
      </div>
      ${this.#sure.render(
        t("listHead.delete", { name: list.name }),
        () =>
          html`<p class="soft">${t("listHead.onlyTheListIs")}</p>
            <div class="row">
              <button class="danger" ?disabled=${this.#action.busy} @click=${() => this.#remove()}>
                ${t("listHead.deleteTheList")}
              </button>
            </div>`,
      )}`;
  }

  /** The first item that is owned and not read yet. */
  #read(): TemplateResult | typeof nothing {
    const next = this.list.items.find((item) => item.owned && item.read === false);
    const reading = next && readingOf(this.longbox, next);
    if (!next || !reading) return nothing;
    return html`<a class="button primary" href=${reading.href ?? ""}
      >${(this.list.read ?? 0) > 0 ? t("listHead.continueWith") : t("listHead.startWith")} ${nameOf(next)}</a
    >`;
  }

  #want(): TemplateResult | typeof nothing {
    const { busy } = this.#action;
    if (!this.longbox.may("library.manage") || this.list.owned === this.list.total) return nothing;
    const want = async () => {
      const outcome = await this.post<WantOutcome>(`${this.#path}/want`);
      this.longbox.notify(wanted(outcome), { level: outcome.failed > 0 ? "warning" : "success" });
    };
    return html`<button ?disabled=${busy} @click=${() => this.#do(want)}>
      ${busy ? t("listHead.oneMoment") : t("listHead.getWhatIsMissing")}
    </button>`;
  }

  #publish(): TemplateResult | typeof nothing {
    const { list } = this;
    if (!list.mine || !this.longbox.may("lists.share")) return nothing;
    const publish = async () => {
      const answer = await this.post<{ public: boolean }>(`${this.#path}/public`, { public: !list.public });
      this.longbox.notify(answer.public ? t("listHead.allUsersCanRead") : t("listHead.onlyYouCanRead"), {
        level: "success",
      });
    };
    return html`<button ?disabled=${this.#action.busy} aria-pressed=${list.public} @click=${() => this.#do(publish)}>
      ${list.public ? t("listHead.public2") : t("listHead.makeItPublic")}
    </button>`;
  }

  #ownerActions(): TemplateResult | typeof nothing {
    if (!this.list.mine) return nothing;
    return html`<button ?disabled=${this.#action.busy} @click=${() => this.#beginRenaming()}>
        ${t("listHead.rename")}
      </button>
      <button class="danger" aria-haspopup="dialog" ?disabled=${this.#action.busy} @click=${() => this.#sure.open()}>
        ${t("listHead.delete2")}
      </button>`;
  }

  #rename(): TemplateResult {
    return html`<form
      @submit=${this.#renamed}
      @keydown=${(event: KeyboardEvent) => event.key === "Escape" && (this.renaming = false)}
    >
      <label class="field"
        >${t("listHead.name")}<input name="name" required maxlength="200" autocomplete="off" .value=${this.list.name}
      /></label>
      <button class="primary" ?disabled=${this.#action.busy}>${t("listHead.save")}</button>
      <button type="button" @click=${() => (this.renaming = false)}>${t("listHead.leaveIt")}</button>
    </form>`;
  }

  async #beginRenaming(): Promise<void> {
    this.renaming = true;
    await this.updateComplete;
    this.renderRoot.querySelector("input")?.select();
  }

  readonly #renamed = (event: SubmitEvent): void => {
    const { name } = submitted(event);
    void this.#do(async () => {
      await this.longbox.api(this.#path, { method: "PATCH", body: { name } });
      this.renaming = false;
    });
  };

  get #path(): string {
    return `/api/lists/${this.list.id}`;
  }

  #remove(): Promise<boolean> {
    return this.#action.run(async () => {
      await this.longbox.api(this.#path, { method: "DELETE" });
      this.#sure.close();
      this.longbox.navigate("/lists", { replace: true });
    });
  }

  async #do(work: () => Promise<void>): Promise<void> {
    if (await this.#action.run(work)) this.dispatchEvent(new CustomEvent("changed"));
  }
}
