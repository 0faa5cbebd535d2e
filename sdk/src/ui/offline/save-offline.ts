import { html, nothing, type TemplateResult } from "lit";
import type { OfflineItem, SavedItem } from "../../client.js";
import { Action } from "../action.js";
import { LongboxElement } from "../longbox-element.js";
import { messageOf } from "../message.js";
import { progress } from "../messages/progress.js";
import { problem } from "../states/notices.js";
import { standard } from "../styles/standard.js";
import { bytes } from "../wording/numbers.js";
import { day } from "../wording/times.js";
import { t } from "../language/translate.js";

/**
 * The content of the dialog "Save on this device", as the element of an action. A plugin extends it for what its pages
 * show.
 * @typeParam Item - What stands in `subject.items`; the first one is saved
 */
export abstract class SaveOffline<Item extends object> extends LongboxElement<{ readonly items?: readonly Item[] }> {
  static override styles = [standard];
  static override properties = {
    ...LongboxElement.properties,
    done: { state: true },
    saved: { state: true },
  };

  /** What saving it means for the user. */
  protected abstract readonly text: string;
  /** The path of the page that shows it. */
  protected abstract pathOf(item: Item): string;
  /** @throws {Error} with a message for the user, where it cannot be used without a connection */
  protected abstract describe(item: Item): Promise<OfflineItem>;

  /** How much is saved, from 0 to 1; undefined before it begins. */
  declare protected done: number | undefined;
  declare protected saved: SavedItem | undefined;
  readonly #action = new Action(this);
  #stop: AbortController | undefined;

  override connectedCallback(): void {
    super.connectedCallback();
    void this.#look();
  }

  override render(): TemplateResult {
    const { saved, done } = this;
    return html`<div class="stack">
      <p class="soft">
        ${this.text} ${t(["kit:goesOnOnline", "Your place is sent to the server once this device is online again."])}
      </p>
      ${saved ? html`<p>${t(["kit:savedOn", ["Saved ", ["day"], ", ", ["size"], "."]], { day: day(saved.savedAt), size: bytes(saved.sizeBytes) })}</p>` : nothing}
      ${done === undefined ? nothing : this.#progress(done)} ${problem(this.#action.problem)}
      ${this.longbox.offline.isSupported ? this.#buttons(saved) : problem(t(["kit:savesOverHttps", "This browser saves for offline use only over https, or on the server's own machine."]))}
    </div>`;
  }

  #progress(done: number): TemplateResult {
    return html`${progress({ label: t(["kit:saving", "Saving"]), done, total: 1, cancel: () => this.#stop?.abort() })}
      <p class="soft">${t(["kit:savingGoesOn", "You can close this; saving goes on while Longbox is open."])}</p>`;
  }

  #buttons(saved: SavedItem | undefined): TemplateResult {
    return html`<div class="row end">
      ${
        saved
          ? html`<button type="button" ?disabled=${this.#action.busy} @click=${() => void this.#remove(saved)}>
              ${t(["kit:remove", "Remove"])}
            </button>`
          : nothing
      }
      <button type="button" class="primary" ?disabled=${this.#action.busy} @click=${() => void this.#save()}>
        ${saved ? t(["kit:saveAgain", "Save again"]) : t(["kit:save", "Save"])}
      </button>
    </div>`;
  }

  async #look(): Promise<void> {
    const [item] = this.subject.items ?? [];
    if (!item) return;
    const path = this.pathOf(item);
    this.saved = (await this.longbox.offline.list()).find((one) => one.path === path);
  }

  async #save(): Promise<void> {
    const [item] = this.subject.items ?? [];
    if (!item) return;
    const stop = (this.#stop = new AbortController());
    const isSaved = await this.#action.run(async () => {
      this.done = 0;
      try {
        const told = (done: number, total: number) => (this.done = done / total);
        await this.longbox.offline.save(await this.describe(item), told, stop.signal);
      } catch (thrown) {
        // Cancelling is no failure.
        if (!stop.signal.aborted) throw thrown;
      } finally {
        this.done = undefined;
      }
    });
    if (stop.signal.aborted) return;
    if (isSaved) this.#close(t(["kit:savedHere", "Saved on this device."]));
    else if (!this.isConnected) this.longbox.notify(messageOf(this.#action.error), { level: "danger" });
  }

  async #remove({ path }: SavedItem): Promise<void> {
    if (await this.#action.run(() => this.longbox.offline.remove(path)))
      this.#close(t(["kit:removedHere", "Removed from this device."]));
  }

  #close(message: string): void {
    this.longbox.notify(message, {
      level: "success",
      action: { label: t(["kit:showSaved", "Show what is saved"]), run: () => this.longbox.navigate("/offline") },
    });
    this.dispatchEvent(new CustomEvent("done", { bubbles: true, composed: true }));
  }
}
