import { Action, check, Dialog, field, icon, type LongboxElement, menuButton, submitted, t } from "@longbox/sdk/ui";
import type { KeptShelf } from "@longbox/shelves/api";
import { html, nothing, type TemplateResult } from "lit";
import { Address } from "./address.js";

/** Keeping selections under a name, and going to those that are kept. */
export class SavedShelves {
  readonly #host: LongboxElement;
  readonly #dialog: Dialog;
  readonly #action: Action;
  #shared = false;
  #onHome = true;

  /** @param open - The address of a shelf; by default on the page of this plugin */
  constructor(
    host: LongboxElement,
    changed: () => Promise<void>,
    private readonly open: (shelf: KeptShelf) => Address = (shelf) => Address.of(shelf),
  ) {
    this.#host = host;
    this.#dialog = new Dialog(host);
    this.#action = new Action(host, { after: changed });
  }

  /** The menu of kept shelves. */
  menu(shelves: readonly KeptShelf[]): TemplateResult | typeof nothing {
    if (shelves.length === 0) return nothing;
    const items = shelves.map((shelf) => ({
      label: shelf.mine ? shelf.name : t("savedShelves.shared", { shelf: shelf.name }),
      icon: shelf.shared ? "users" : "bookmark",
      run: () => this.#host.longbox.navigate(this.open(shelf).href),
    }));
    return menuButton(t("savedShelves.shelves"), () => ({ label: t("savedShelves.keptShelves"), items }), {
      icon: "bookmark",
    });
  }

  /** The shelf that is open, or the button that keeps the selection as one. */
  keeping(address: Address, shelves: readonly KeptShelf[]): TemplateResult | typeof nothing {
    if (address.selection === "") return nothing;
    const open = shelves.find((shelf) => shelf.mine && Address.of(shelf).selection === address.selection);
    return open
      ? html`<button type="button" class="quiet" ?disabled=${this.#action.busy} @click=${() => void this.#remove(open)}>
          ${icon("trash")} ${t("savedShelves.remove", { name: open.name })}
        </button>`
      : html`<button type="button" aria-haspopup="dialog" @click=${() => void this.#dialog.open()}>
            ${icon("plus")} ${t("savedShelves.keepAsShelf")}
          </button>
          ${this.#dialog.render(t("savedShelves.keepAsShelf"), () => this.#form(address))}`;
  }

  #form(address: Address): TemplateResult {
    const may = this.#host.longbox.may("lists.share");
    return html`<form
      class="stack"
      @submit=${(event: SubmitEvent) => void this.#keep(submitted(event)["name"] ?? "", address)}
    >
      <p class="soft">${t("savedShelves.aShelfHoldsWhatever")}</p>
      ${field({ name: "name", label: t("savedShelves.name"), required: true, problem: this.#action.problem })}
      ${check(t("savedShelves.showItOnThe"), this.#onHome, (isOn) => (this.#onHome = isOn))}
      ${may ? check(t("savedShelves.shareItWithEveryone"), this.#shared, (isOn) => (this.#shared = isOn)) : nothing}
      <div class="row end">
        <button class="primary" ?disabled=${this.#action.busy}>${t("savedShelves.keep")}</button>
      </div>
    </form>`;
  }

  async #keep(name: string, address: Address): Promise<void> {
    const body = {
      name,
      selection: { values: address.values, q: address.text },
      sort: address.sort,
      shared: this.#shared,
      onHome: this.#onHome,
    };
    const kept = await this.#action.run(
      () => this.#host.longbox.api("/api/shelves/saved", { method: "POST", body }),
      t("savedShelves.wasKept", { name }),
    );
    if (kept) this.#dialog.close();
  }

  async #remove({ id, name }: KeptShelf): Promise<void> {
    await this.#action.run(
      () => this.#host.longbox.api(`/api/shelves/saved/${id}`, { method: "DELETE" }),
      t("savedShelves.wasRemoved", { name }),
    );
  }
}
