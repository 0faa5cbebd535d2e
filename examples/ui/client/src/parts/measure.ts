import { count, element, LongboxElement, standard } from "@longbox/sdk/ui";
import { html } from "lit";

/** The element of an action: gets the things that it is for, and closes its dialog with the event `done`. */
@element("kit-measure")
export class KitMeasure extends LongboxElement<{ readonly items?: ReadonlyArray<{ readonly id: number }> }> {
  static override styles = standard;

  override render() {
    const { items = [] } = this.subject;
    return html`<p>${count(items.length, "part")} of 2 by 3: ${items.map(({ id }) => id).join(", ")}.</p>
      <div class="row end">
        <button type="button" class="primary" @click=${() => this.dispatchEvent(new Event("done"))}>Done</button>
      </div>`;
  }
}
