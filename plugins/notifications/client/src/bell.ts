import { element, icon, LongboxElement, Resource, standard, t } from "@longbox/sdk/ui";
import { css, html, nothing, type TemplateResult } from "lit";

/** The bell in the frame: a link to the notifications with the number of unread ones. */
@element("notifications-bell")
export class NotificationsBell extends LongboxElement {
  static override styles = [
    standard,
    css`
      a {
        position: relative;
        display: grid;
        place-items: center;
        width: 2.5rem;
        height: 2.5rem;
        border-radius: 999px;
        color: var(--lb-ink-soft);
      }
      a:hover {
        background: var(--lb-raised);
        color: var(--lb-ink);
      }
      svg {
        width: 1.5rem;
        height: 1.5rem;
      }
      .unread {
        position: absolute;
        top: 0.2rem;
        inset-inline-end: 0.1rem;
        min-width: 1.25rem;
        padding: 0 0.25rem;
        border-radius: 999px;
        background: var(--lb-accent);
        color: var(--lb-on-accent);
        font: 700 var(--lb-text-xs) / 1.25rem var(--lb-font-text);
        text-align: center;
      }
    `,
  ];
  readonly #unread = new Resource<{ readonly unread: number }>(this, {
    path: "/api/notifications/unread",
    domains: ["notifications"],
  });

  override render(): TemplateResult {
    const unread = this.#unread.value?.unread ?? 0;
    const label = unread === 0 ? t("bell.notifications") : t("bell.notificationsUnread", { unread });
    return html`<a href="/notifications" aria-label=${label} title=${label}
      >${icon("bell")}${unread > 0 ? html`<span class="unread" aria-hidden="true">${unread > 99 ? "99+" : unread}</span>` : nothing}</a
    >`;
  }
}
