import {
  cards,
  covers,
  element,
  LongboxElement,
  number,
  picks,
  sheet,
  shelf,
  shelfSkeleton,
  tables,
  VirtualRows,
  walls,
} from "@longbox/sdk/ui";
import { css, html } from "lit";
import { style } from "../style.js";

const rows = 1_000;
const cardOf = (part: number) => ({ href: "/kit/rows", cover: null, title: `Part ${part}`, note: "2019" });

/** Shelves, tables, printed sheets, lists to pick from, and rows without end. */
@element("kit-rows")
export class KitRows extends LongboxElement {
  static override styles = [
    style,
    covers,
    cards,
    walls,
    tables,
    sheet,
    picks,
    css`
      .rows {
        position: relative;
      }
      .row-line {
        position: absolute;
        inset-inline: 0;
      }
    `,
  ];
  readonly #rows = new VirtualRows(this);

  override render() {
    return html`${shelf({ heading: "A shelf", href: "/kit/rows", cards: Array.from({ length: 12 }, (_, at) => cardOf(at + 1)) })}
      ${shelfSkeleton()}
      <section aria-label="Printed sheet">
        <h2>Printed sheet</h2>
        <p class="statement">Read <strong>12 parts</strong> this week, more than in the one before.</p>
        <div class="sheet">${this.#table("First half", 1)} ${this.#table("Second half", 7)}</div>
      </section>
      <section aria-label="To pick from">
        <h2>To pick from</h2>
        <div class="picks">
          ${["Attic", "Cellar", "Kitchen"].map((name) => html`<button type="button">${name}</button>`)}
          <p class="soft">A list that is empty says so here.</p>
        </div>
      </section>
      <section aria-label="Rows without end">
        <h2>Rows without end</h2>
        ${this.#rows.render({ count: rows, heightPixels: 32, label: "Rows" }, (index) => html`<span role="listitem">Row ${number(index + 1)}</span>`)}
      </section>`;
  }

  #table(title: string, first: number) {
    return html`<section aria-label=${title}>
      <h3>${title}</h3>
      <div class="table-scroll">
        <table>
          <thead>
            <tr>
              <th scope="col">Part</th>
              <th scope="col" class="number">Pages</th>
            </tr>
          </thead>
          <tbody>
            ${[0, 1, 2].map(
              (step) =>
                html`<tr>
                  <th scope="row">Part ${first + step}</th>
                  <td class="number">${number((first + step) * 1_200)}</td>
                </tr>`,
            )}
          </tbody>
        </table>
      </div>
    </section>`;
  }
}
