import type { Source } from "@longbox/downloads/api";
import type { ClientSubjects } from "@longbox/sdk/client";
import { Action, count, element, LongboxElement, number, problem, Resource } from "@longbox/sdk/ui";
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
        ${would === undefined ? html`<p class="soft">Looking …</p>` : this.#says(would)}
      </div>
      <p class="row">
        <button class="primary" ?disabled=${!would || this.#get.busy} @click=${() => this.#run()}>
          ${would ? `Get ${count(would, "item")}` : "Get"}
        </button>
      </p>`;
  }

  #says(would: number): TemplateResult {
    const total = Number(this.subject.items?.[0]?.["total"] ?? would);
    const left = total - would;
    const sources = this.#sources.value?.filter(({ enabled }) => enabled);
    return html`<p>
        ${would === 0 ? "Nothing would be queued." : `${count(would, "item")} would be queued and searched for.`}
        ${left > 0 ? `${number(left)} of ${number(total)} would not: already in the queue${total > mostAtOnce ? `, or after the first ${mostAtOnce}` : ""}.` : nothing}
      </p>
      ${sources?.length === 0 ? html`<p class="problem">No source is enabled: they would wait until one is.</p>` : nothing}
      ${sources && sources.length > 0 ? html`<p class="soft under">Asked for each: ${sources.map(({ name }) => name).join(", ")}.</p>` : nothing}`;
  }

  async #run(): Promise<void> {
    const isDone = await this.#get.run(async () => {
      const { queued } = await this.#call({});
      this.longbox.notify(`${count(queued, "item")} queued.`);
    });
    if (isDone) this.dispatchEvent(new CustomEvent("done", { bubbles: true, composed: true }));
  }

  #call(change: { readonly preview?: true }): Promise<{ readonly queued: number }> {
    const { scope, followed, hideUnreleased, q } = this.subject.items?.[0] ?? {};
    const search = typeof q === "string" && q.trim() !== "" && { q: q.trim() };
    return this.post("/api/wanted/download-all", { scope, followed, hideUnreleased, ...search, ...change });
  }
}
