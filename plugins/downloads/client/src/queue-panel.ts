import type { Queue, QueueItem, QueuePack } from "@longbox/downloads/api";
import {
  Action,
  bytes,
  confirm,
  duration,
  element,
  fromNow,
  LongboxElement,
  notice,
  pager,
  progress,
  Resource,
  skeleton,
  t,
} from "@longbox/sdk/ui";
import { html, nothing, type TemplateResult } from "lit";
import { state } from "lit/decorators.js";
import { repeat } from "lit/directives/repeat.js";
import { style } from "./style.js";

type Row = QueueItem | QueuePack;

const perPage = 100;
const looks: Readonly<Record<Row["status"], readonly [label: string, look: string]>> = {
  queued: [t("queuePanel.waiting"), ""],
  searching: [t("queuePanel.searching"), "busy"],
  downloading: [t("queuePanel.downloading"), "busy"],
  grabbed: [t("queuePanel.atTheClient"), "busy"],
  active: [t("queuePanel.downloading"), "busy"],
  importing: [t("queuePanel.importing"), "busy"],
  done: [t("queuePanel.done"), "good"],
  imported: [t("queuePanel.imported"), "good"],
  failed: [t("queuePanel.failed"), "bad"],
  cancelled: [t("queuePanel.cancelled"), ""],
};

/** The queue, as it changes. */
@element("downloads-queue")
export class DownloadsQueue extends LongboxElement {
  static override styles = [style];
  @state() private page = 0;
  readonly #queue = new Resource<Queue>(this, {
    path: () => `/api/queue?limit=${perPage}&offset=${this.page * perPage}`,
    domains: ["queue"],
    keep: true,
  });
  readonly #action = new Action(this, { notify: true, after: () => this.#queue.refresh() });

  override render(): unknown {
    return this.#queue.render((queue) => this.#all(queue), { waiting: skeleton() });
  }

  #all(queue: Queue): TemplateResult {
    const { items, packs, total } = queue;
    if (items.length === 0 && packs.length === 0)
      return html`${this.#bar(queue)}
      ${notice({
        heading: t("queuePanel.theQueueIsEmpty"),
        text: t("queuePanel.itemsThatYouGet"),
        drawing: "box",
      })}`;
    return html`${this.#bar(queue)} ${packs.length === 0 ? nothing : this.#table(t("queuePanel.packs"), packs)}
    ${items.length === 0 ? nothing : this.#table(t("queuePanel.items", { total }), items)}
    ${pager({
      page: this.page,
      hasNext: (this.page + 1) * perPage < total,
      turn: (page) => {
        this.page = page;
      },
    })}`;
  }

  #bar({ paused, counts, reason }: Queue): TemplateResult {
    const failed = counts["failed"] ?? 0;
    const call = (path: string, done: string) => this.#action.run(() => this.post(path), done);
    return html`<div class="row">
      <button
        aria-pressed=${paused}
        ?disabled=${this.#action.busy}
        @click=${() => call(`/api/queue/${paused ? "resume" : "pause"}`, paused ? t("queuePanel.theQueueWasResumed") : t("queuePanel.theQueueIsPaused"))}
      >
        ${paused ? t("queuePanel.resume") : t("queuePanel.pause")}
      </button>
      ${(counts["queued"] ?? 0) > 0 ? html`<button ?disabled=${this.#action.busy} @click=${() => this.#clear()}>${t("queuePanel.clearWaiting")}</button>` : nothing}
      ${
        failed > 0 && this.longbox.may("library.manage")
          ? html`<button
                ?disabled=${this.#action.busy}
                @click=${() => call("/api/retry-failed", t("queuePanel.retrying"))}
              >
                ${t("queuePanel.retryFailedItems", { failed })}
              </button>
              <button
                class="quiet"
                ?disabled=${this.#action.busy}
                @click=${() => call("/api/clear-failed", t("queuePanel.theFailedItemsWere"))}
              >
                ${t("queuePanel.clearFailed")}
              </button>`
          : nothing
      }
      ${reason === undefined ? nothing : html`<p class="problem">${this.longbox.said(reason)}</p>`}
    </div>`;
  }

  async #clear(): Promise<void> {
    const sure = await confirm({
      heading: t("queuePanel.clearWaitingItems"),
      text: t("queuePanel.allWaitingItemsLeave"),
      action: t("queuePanel.clear"),
      isDangerous: true,
    });
    if (sure) await this.#action.run(() => this.post("/api/queue/clear"), t("queuePanel.theWaitingItemsWere"));
  }

  #table(heading: string, rows: readonly Row[]): TemplateResult {
    return html`<section>
      <h2>${heading}</h2>
      <div class="table-scroll" tabindex="0" role="region" aria-label=${heading}>
        <table>
          <thead>
            <tr>
              <th scope="col">${t("queuePanel.item")}</th>
              <th scope="col">${t("queuePanel.state")}</th>
              <th scope="col">${t("queuePanel.release")}</th>
              <th scope="col"><span class="hidden">${t("queuePanel.actions")}</span></th>
            </tr>
          </thead>
          <tbody>
            ${repeat(
              rows,
              ({ id }) => id,
              (row) => this.#row(row),
            )}
          </tbody>
        </table>
      </div>
    </section>`;
  }

  #row(row: Row): TemplateResult {
    const [label, look] = looks[row.status];
    return html`<tr>
      <td><a href="/series/${row.seriesId}">${nameOf(row)}</a></td>
      <td class="state">
        <span class="tag ${look}">${row.held ? t("queuePanel.onHold") : label}</span>
        ${row.progress === undefined ? nothing : progress({ label: t("queuePanel.progressOf", { row: nameOf(row) }), done: Math.round(row.progress * 100), total: 100 })}
        ${facts(row)} ${row.error === undefined ? nothing : html`<p class="soft">${this.longbox.said(row.error)}</p>`}
      </td>
      <td>${row.release ?? ""} ${row.source ? html`<span class="label">${row.source}</span>` : nothing}</td>
      <td class="actions">${this.#buttons(row)}</td>
    </tr>`;
  }

  #buttons(row: Row): TemplateResult {
    const name = nameOf(row);
    const act = (label: string, work: () => Promise<unknown>) =>
      html`<button
        class="quiet"
        aria-label="${label}: ${name}"
        ?disabled=${this.#action.busy}
        @click=${() => this.#action.run(work)}
      >
        ${label}
      </button>`;
    const change = (body: object) => () => this.longbox.api(`/api/queue/${row.id}`, { method: "PATCH", body });
    const waits = row.status === "queued";
    const ends = row.status === "importing" || row.status === "imported" || row.status === "done";
    return html`${waits && !row.held ? act(t("queuePanel.moveToTop"), () => this.post("/api/queue/order", { ids: [row.id] })) : nothing}
    ${waits ? act(row.held ? t("queuePanel.resume") : t("queuePanel.hold"), change({ held: !row.held })) : nothing}
    ${row.status === "failed" || row.retryAt ? act(t("queuePanel.retry"), () => this.post(`/api/queue/retry/${row.id}`)) : nothing}
    ${ends ? nothing : act(row.status === "failed" ? t("queuePanel.remove") : t("queuePanel.cancel"), () => this.post(`/api/queue/cancel/${row.id}`))}`;
  }
}

function nameOf(row: Row): string {
  return "name" in row ? row.name : t("queuePanel.aPack", { series: row.series });
}

function facts({ speed, secondsLeft, retryAt }: Row): TemplateResult | typeof nothing {
  const known = [
    speed ? `${bytes(speed)}/s` : undefined,
    secondsLeft === undefined ? undefined : t("queuePanel.left", { secondsLeft: duration(secondsLeft) }),
    retryAt === undefined ? undefined : t("queuePanel.retried", { retryAt: fromNow(retryAt) }),
  ].filter((fact) => fact !== undefined);
  return known.length === 0 ? nothing : html`<p class="label">${known.join(" · ")}</p>`;
}
