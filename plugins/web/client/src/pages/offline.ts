import type { SavedItem } from "@longbox/sdk/client";
import { bytes, confirm, notice, notices } from "@longbox/sdk/ui";
import { css, html, nothing, type TemplateResult } from "lit";
import { customElement, state } from "lit/decorators.js";
import { page } from "../styles/index.js";
import { Page } from "./page.js";

/** What is saved on this device for reading without a connection, and how much room it takes. */
@customElement("lb-offline-page")
export class OfflinePage extends Page {
  static override styles = [
    page,
    notices,
    css`
      ul {
        display: grid;
        gap: var(--lb-space-2);
        max-width: 48rem;
        margin: 0;
        padding: 0;
        list-style: none;
      }
      li {
        display: flex;
        gap: var(--lb-space-3);
        align-items: center;
        justify-content: space-between;
      }
    `,
  ];
  @state() private items: readonly SavedItem[] | undefined;
  @state() private room: StorageEstimate = {};

  override connectedCallback(): void {
    super.connectedCallback();
    this.longbox.titled("Saved on this device");
    void this.attempt(() => this.#read());
  }

  override render(): TemplateResult | typeof nothing {
    if (!this.items) return nothing;
    if (!this.longbox.offline.isSupported)
      return notice({
        isPage: true,
        drawing: "box",
        heading: "Nothing can be saved here",
        text: "Browsers save for offline use only over https, or on the server's own machine.",
      });
    if (this.items.length === 0)
      return notice({
        isPage: true,
        drawing: "box",
        heading: "Nothing is saved on this device",
        text: "Choose “Save on this device” in the menu of an issue to read it without a connection.",
      });
    return html`<h1>Saved on this device</h1>
      <p class="soft">${this.#total(this.items)} Signing out deletes it from this device.</p>
      <ul>
        ${this.items.map((item) => this.#item(item))}
      </ul>`;
  }

  #total(items: readonly SavedItem[]): string {
    const used = items.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
    const { quota } = this.room;
    return `${bytes(used)} are used${quota === undefined ? "" : `; the browser allows ${bytes(quota)}`}.`;
  }

  #item({ path, title, sizeBytes }: SavedItem): TemplateResult {
    return html`<li>
      <a href=${path}>${title}</a>
      <span class="label">${bytes(sizeBytes)}</span>
      <button @click=${() => this.#remove(path, title)} aria-label="Remove ${title} from this device">Remove</button>
    </li>`;
  }

  async #remove(path: string, title: string): Promise<void> {
    const sure = await confirm({
      heading: `Remove ${title} from this device?`,
      text: "It stays in the library.",
      action: "Remove",
    });
    if (!sure) return;
    await this.attempt(async () => {
      await this.longbox.offline.remove(path);
      await this.#read();
    });
  }

  async #read(): Promise<void> {
    this.items = await this.longbox.offline.list();
    if (this.longbox.offline.isSupported) this.room = await navigator.storage.estimate();
  }
}
