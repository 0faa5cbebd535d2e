import type { SavedItem } from "@longbox/sdk/client";
import { bytes, confirm, fromNow, icon, notice, notices, t } from "@longbox/sdk/ui";
import { css, html, nothing, type TemplateResult } from "lit";
import { customElement, state } from "lit/decorators.js";
import { page, surfaces } from "../styles/index.js";
import { Page } from "./page.js";

/** What is saved on this device for reading and listening without a connection, and how much room it takes. */
@customElement("lb-offline-page")
export class OfflinePage extends Page {
  static override styles = [
    page,
    notices,
    surfaces,
    css`
      .room,
      ul {
        max-width: 52rem;
      }
      .room {
        display: grid;
        gap: var(--lb-space-2);
        margin-block: var(--lb-space-4) var(--lb-space-5);
      }
      ul {
        margin: 0;
        padding: 0;
        list-style: none;
      }
      li {
        display: grid;
        grid-template-columns: 3rem minmax(0, 1fr) auto;
        gap: var(--lb-space-4);
        align-items: center;
        padding-block: var(--lb-space-3);
        border-top: 1px solid var(--lb-line);
      }
      .cover {
        display: grid;
        place-items: center;
        width: 3rem;
        height: 4.25rem;
        overflow: hidden;
        border-radius: var(--lb-radius-s);
        background: var(--lb-raised);
        color: var(--lb-ink-soft);
      }
      .cover img {
        width: 100%;
        height: 100%;
        object-fit: cover;
      }
      li a {
        color: var(--lb-ink);
        font-weight: 600;
        overflow-wrap: anywhere;
      }
      li p {
        margin: 0;
      }
      .all {
        max-width: 52rem;
        margin: 0;
        padding-block-start: var(--lb-space-4);
        border-top: 1px solid var(--lb-line);
      }
    `,
  ];
  @state() private items: readonly SavedItem[] | undefined;
  @state() private room: StorageEstimate = {};

  override connectedCallback(): void {
    super.connectedCallback();
    this.longbox.titled(t("offline.savedOnThisDevice"));
    void this.attempt(() => this.#read());
  }

  override render(): TemplateResult | typeof nothing {
    const { items } = this;
    if (!items) return nothing;
    if (!this.longbox.offline.isSupported)
      return notice({
        isPage: true,
        drawing: "box",
        heading: t("offline.nothingCanBeSaved"),
        text: t("offline.browsersSaveForOffline"),
      });
    if (items.length === 0)
      return notice({
        isPage: true,
        drawing: "box",
        heading: t("offline.nothingIsSavedOn"),
        text: t("offline.chooseSaveOnThis"),
        action: { label: t("offline.openTheLibrary"), href: "/library" },
      });
    return html`<h1>${t("offline.savedOnThisDevice")}</h1>
      <p class="soft">${t("offline.thisCanBeRead")}</p>
      ${this.#used(items)}
      <ul>
        ${items.map((item) => this.#item(item))}
      </ul>
      ${items.length > 1 ? html`<p class="all"><button @click=${() => this.#removeAll(items)}>${t("offline.removeEverything")}</button></p>` : nothing}`;
  }

  #used(items: readonly SavedItem[]): TemplateResult {
    const used = items.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
    const { quota } = this.room;
    if (quota === undefined) return html`<p class="room">${t("offline.areUsed", { used: bytes(used) })}</p>`;
    return html`<div class="room">
      <progress aria-label=${t("offline.roomThatIsUsed")} max=${Math.max(quota, used)} value=${used}></progress>
      <span class="soft">${t("offline.areUsedTheBrowser", { used: bytes(used), quota: bytes(quota) })}</span>
    </div>`;
  }

  #item({ path, title, kind, cover, sizeBytes, savedAt }: SavedItem): TemplateResult {
    const facts = [kind, bytes(sizeBytes), t("offline.saved", { savedAt: fromNow(savedAt) })]
      .filter(Boolean)
      .join(" · ");
    return html`<li>
      <span class="cover"> ${cover === undefined ? icon("book") : html`<img src=${cover} alt="" />`} </span>
      <div>
        <a href=${path}>${title}</a>
        <p class="label">${facts}</p>
      </div>
      <button
        class="quiet round"
        title=${t("offline.remove")}
        aria-label=${t("offline.removeFromThisDevice", { title })}
        @click=${() => this.#remove(path, title)}
      >
        ${icon("trash")}
      </button>
    </li>`;
  }

  #remove(path: string, title: string): Promise<void> {
    return this.#removeSome(t("offline.removeFromThisDevice2", { title }), [path]);
  }

  #removeAll(items: readonly SavedItem[]): Promise<void> {
    return this.#removeSome(
      t("offline.removeEverythingFromThis"),
      items.map(({ path }) => path),
    );
  }

  async #removeSome(heading: string, paths: readonly string[]): Promise<void> {
    const sure = await confirm({ heading, text: t("offline.itStaysInThe"), action: t("offline.remove") });
    if (!sure) return;
    await this.attempt(async () => {
      for (const path of paths) await this.longbox.offline.remove(path);
      await this.#read();
    });
  }

  async #read(): Promise<void> {
    this.items = await this.longbox.offline.list();
    if (this.longbox.offline.isSupported) this.room = await navigator.storage.estimate();
  }
}
