import type { Source } from "@longbox/downloads/api";
import type { ClientSubjects } from "@longbox/sdk/client";
import { Action, element, LongboxElement, problem, Resource, t } from "@longbox/sdk/ui";
import { html, nothing, type TemplateResult } from "lit";
import { state } from "lit/decorators.js";
import { style } from "./style.js";

/** What one call queues at most. */
const mostAtOnce = 500;

/** Says what getting everything in a list of wanted issues would queue, and does it. */
@element("downloads-get-all")
export class DownloadsGetAll extends LongboxElement<Partial<ClientSubjects>> {
  static override styles = [style];
  @state() private would: number | undefined;
  readonly #sources = new Resource<readonly Source[]>(this, { path: "/api/sources" });
  readonly #look = new Action(this);
  readonly #get = new Action(this, { notify: true });

  override connectedCallback(): void {
    super.connectedCallback();
    void this.#look.run(async () => {
      this.would = (await this.#call({ preview: true })).queued;
    });
  }

  override render(): TemplateResult {
    const { would } = this;
    return html`${problem(this.#look.problem ?? this.#get.problem)}
      <div role="status" aria-live="polite">
        ${would === undefined ? html`<p class="soft">${t("getAllDialog.looking")}</p>` : this.#says(would)}
      </div>
      <p class="row">
        <button class="primary" ?disabled=${!would || this.#get.busy} @click=${() => this.#run()}>
          ${would ? t("getAllDialog.getItems", { would }) : t("getAllDialog.get")}
        </button>
      </p>`;
  }

  #says(would: number): TemplateResult {
    const total = Number(this.subject.items?.[0]?.["total"] ?? would);
    const left = total - would;
    const sources = this.#sources.value?.filter(({ enabled }) => enabled);
    return html`<p>
        ${would === 0 ? t("getAllDialog.nothingWouldBeQueued") : t("getAllDialog.itemsWouldBeQueued", { would })}
        ${left > 0 ? leftOut(left, total) : nothing}
      </p>
      ${sources?.length === 0 ? html`<p class="problem">${t("getAllDialog.noSourceIsEnabled")}</p>` : nothing}
      ${sources && sources.length > 0 ? html`<p class="soft under">${t("getAllDialog.askedForEach", { sources: sources.map(({ name }) => name).join(", ") })}</p>` : nothing}`;
  }

  async #run(): Promise<void> {
    const isDone = await this.#get.run(async () => {
      const { queued } = await this.#call({});
      this.longbox.notify(t("getAllDialog.itemsQueued", { queued }));
    });
    if (isDone) this.dispatchEvent(new CustomEvent("done", { bubbles: true, composed: true }));
  }

  #call(change: { readonly preview?: true }): Promise<{ readonly queued: number }> {
    const { scope, followed, hideUnreleased, q } = this.subject.items?.[0] ?? {};
    const search = typeof q === "string" && q.trim() !== "" && { q: q.trim() };
    return this.post("/api/wanted/download-all", { scope, followed, hideUnreleased, ...search, ...change });
  }
}

function leftOut(left: number, total: number): string {
  return total > mostAtOnce
    ? t("getAllDialog.orAfterTheFirst", { left, total, mostAtOnce })
    : t("getAllDialog.ofWouldNotAlready", { left, total });
}
