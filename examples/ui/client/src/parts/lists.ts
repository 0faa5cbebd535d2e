import {
  actionBar,
  actionItems,
  Badges,
  cards,
  count,
  covers,
  CoverWall,
  element,
  LongboxElement,
  openMenu,
  Selection,
  walls,
} from "@longbox/sdk/ui";
import { html } from "lit";
import { style } from "../style.js";

const total = 100_000;

/** A wall of a hundred thousand covers with selection, actions and badges. */
@element("kit-lists")
export class KitLists extends LongboxElement {
  static override styles = [style, covers, cards, walls];
  readonly #badges = new Badges(this, "part");
  readonly #selection = new Selection<number>(this, { keyAt: (index) => index + 1, total: () => total });
  readonly #wall = new CoverWall(this, () => undefined, this.#selection);

  override render() {
    const chosen = [...this.#selection.keys].slice(0, 500);
    return html`<section aria-label="Wall">
      <h2>${count(total, "part")}</h2>
      <div class="row" role="toolbar" aria-label="Selection">
        <span role="status">${count(this.#selection.size, "part")} selected</span>
        <button type="button" ?disabled=${!this.#selection.isActive} @click=${() => this.#selection.clear()}>
          Clear
        </button>
        ${actionBar(this.#actions(chosen), { label: "More for the selection" })}
      </div>
      ${this.#wall.render({
        label: "Parts",
        total,
        size: "small",
        cardAt: (index) => ({
          href: "/kit/lists",
          cover: null,
          title: `Part ${index + 1}`,
          note: "",
          badges: this.#badges.of(index + 1).badges,
        }),
        isSelected: (index) => this.#selection.has(index + 1),
        menu: (index, at) =>
          openMenu({ label: `Part ${index + 1}`, at, items: actionItems(this.#actions([index + 1])) }),
      })}
    </section>`;
  }

  #actions(ids: readonly number[]) {
    return this.longbox.actions({ kind: "part", items: ids.map((id) => ({ id, ...this.#badges.of(id).facts })) });
  }
}
