import type { Notice } from "@longbox/notifications/api";
import type { ClientListPage } from "@longbox/sdk/client";
import {
  Action,
  day,
  element,
  fromNow,
  icon,
  LongboxElement,
  notice,
  notices,
  pager,
  Resource,
  skeleton,
  standard,
  t,
  toggle,
} from "@longbox/sdk/ui";
import { css, html, nothing, type TemplateResult } from "lit";
import { state } from "lit/decorators.js";
import { repeat } from "lit/directives/repeat.js";

const perPage = 50;
const iconOf: Readonly<Record<Notice["category"], string>> = {
  import: "library",
  failure: "warning",
  release: "bookmark",
  request: "heart",
  system: "pulse",
};

/** The notifications by day, newest first. */
@element("notifications-list")
export class NotificationsList extends LongboxElement {
  static override styles = [
    standard,
    notices,
    css`
      section {
        display: grid;
        gap: var(--lb-space-3);
        margin-top: var(--lb-space-5);
      }
      ul {
        display: grid;
        gap: var(--lb-space-2);
        list-style: none;
        padding: 0;
      }
      li {
        display: grid;
        grid-template-columns: 2rem minmax(0, 1fr) auto;
        gap: var(--lb-space-3);
        align-items: start;
        padding: var(--lb-space-3) var(--lb-space-4);
        border: 1px solid var(--lb-line);
        border-radius: var(--lb-radius-m);
        background: var(--lb-surface);
      }
      li.unread {
        border-inline-start: 4px solid var(--lb-accent);
      }
      li.error > .kind {
        color: var(--lb-danger);
      }
      li.warning > .kind {
        color: var(--lb-warning);
      }
      li.success > .kind {
        color: var(--lb-success);
      }
      .kind {
        padding-top: 0.15rem;
        color: var(--lb-ink-soft);
      }
      .said {
        display: grid;
        gap: var(--lb-space-1);
        overflow-wrap: anywhere;
      }
      .title {
        font-weight: 650;
      }
      time {
        white-space: nowrap;
      }
      @media (max-width: 560px) {
        li {
          grid-template-columns: 1.5rem minmax(0, 1fr);
        }
        li > .after {
          grid-column: 2;
        }
      }
      .after {
        display: flex;
        gap: var(--lb-space-3);
        align-items: center;
        justify-content: space-between;
      }
    `,
  ];
  @state() private isUnreadOnly = false;
  @state() private page = 0;
  readonly #notices = new Resource<ClientListPage<Notice>>(this, {
    path: () =>
      `/api/notifications?limit=${perPage}&offset=${this.page * perPage}${this.isUnreadOnly ? "&unread=1" : ""}`,
    domains: ["notifications"],
    keep: true,
    fetch: (path, signal) => this.longbox.list<Notice>(path, { signal }),
  });
  readonly #action = new Action(this, { notify: true, after: () => this.#notices.refresh() });

  override render(): TemplateResult {
    return html`<div class="row spread">
        ${toggle(t("listPanel.onlyUnread"), this.isUnreadOnly, (on) => {
          this.isUnreadOnly = on;
          this.page = 0;
        })}
        <button ?disabled=${this.#action.busy} @click=${() => this.#read({ all: true })}>
          ${t("listPanel.markAllAsRead")}
        </button>
      </div>
      ${this.#notices.render((page) => this.#all(page), { waiting: skeleton() })}`;
  }

  #all({ items, total }: ClientListPage<Notice>): TemplateResult {
    if (total === 0)
      return notice({
        heading: this.isUnreadOnly ? t("listPanel.noUnreadNotifications") : t("listPanel.noNotificationsYet"),
        text: t("listPanel.additionsToTheLibrary"),
        drawing: "box",
      });
    const days = Map.groupBy(items, ({ at }) => dayOf(at));
    return html`${[...days].map(
      ([heading, some]) =>
        html`<section>
          <h2>${heading}</h2>
          <ul>
            ${repeat(
              some,
              ({ id }) => id,
              (row) => this.#row(row),
            )}
          </ul>
        </section>`,
    )}
    ${pager({
      page: this.page,
      hasNext: (this.page + 1) * perPage < total,
      turn: (page) => (this.page = page),
      text: t("listPanel.pageOf", { page: this.page + 1, pages: Math.ceil(total / perPage) }),
      previous: t("listPanel.newer"),
      next: t("listPanel.older"),
    })}`;
  }

  #row(row: Notice): TemplateResult {
    const seen = () => row.read || void this.#read({ ids: [row.id] });
    return html`<li class="${row.level}${row.read ? "" : " unread"}">
      <span class="kind">${icon(iconOf[row.category])}</span>
      <div class="said">
        ${row.url === null ? html`<span class="title">${row.title}</span>` : html`<a class="title" href=${row.url} @click=${seen}>${row.title}</a>`}
        ${row.body === "" ? nothing : html`<p class="soft">${row.body}</p>`}
      </div>
      <div class="after">
        <time class="label" datetime=${row.at}>${fromNow(row.at)}</time>
        ${
          row.read
            ? nothing
            : html`<button
                class="quiet round"
                aria-label=${t("listPanel.markAsRead", { title: row.title })}
                title=${t("listPanel.markAsRead2")}
                @click=${seen}
              >
                ${icon("check")}
              </button>`
        }
      </div>
    </li>`;
  }

  #read(which: { all: true } | { ids: readonly number[] }): Promise<boolean> {
    return this.#action.run(() => this.post("/api/notifications/read", which));
  }
}

/** Today and yesterday by name, other days by their date. */
function dayOf(at: string): string {
  const date = day(at);
  if (date === day(new Date().toISOString())) return t("listPanel.today");
  return date === day(new Date(Date.now() - 24 * 60 * 60_000).toISOString()) ? t("listPanel.yesterday") : date;
}
