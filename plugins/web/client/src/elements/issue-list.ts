import { WindowVirtualizerController } from "@tanstack/lit-virtual";
import { css, html, LitElement, type PropertyValues } from "lit";
import { customElement, property } from "lit/decorators.js";
import { repeat } from "lit/directives/repeat.js";
import type { IssueRow } from "../shell/shapes.js";
import type { Shell } from "../shell/shell.js";
import { base } from "../styles/index.js";
import "./issue-line.js";
import { styled } from "./styled.js";

/** The issues of a series one under the other; of a long run only the lines near the window are in the document. */
@customElement("lb-issue-list")
export class IssueList extends LitElement {
  @property({ attribute: false }) longbox!: Shell;
  @property({ attribute: false }) issues: readonly IssueRow[] = [];

  readonly #virtual = new WindowVirtualizerController(this, { count: 0, estimateSize: () => 76, overscan: 6 });

  static override styles = [
    base,
    css`
      :host {
        display: block;
        border-top: 1px solid var(--lb-line);
      }
      .list {
        position: relative;
      }
      .line {
        position: absolute;
        inset: 0 0 auto;
        min-height: 76px;
      }
    `,
  ];

  override willUpdate(_changed: PropertyValues<this>): void {
    const virtual = this.#virtual.getVirtualizer();
    const scrollMargin = this.getBoundingClientRect().top + window.scrollY;
    if (virtual.options.count === this.issues.length && Math.abs(virtual.options.scrollMargin - scrollMargin) < 1) return;
    virtual.setOptions({ ...virtual.options, count: this.issues.length, scrollMargin });
  }

  /** Only now are the lines in the document: measured earlier they would have no height, and all of them would fit into the window. */
  override updated(): void {
    for (const line of this.renderRoot.querySelectorAll(".line")) this.#virtual.getVirtualizer().measureElement(line);
  }

  override render() {
    const virtual = this.#virtual.getVirtualizer();
    const margin = virtual.options.scrollMargin;
    return html`<div class="list" role="list" aria-label="Issues" ${styled({ height: `${virtual.getTotalSize()}px` })}>
      ${repeat(
        virtual.getVirtualItems(),
        (line) => line.index,
        (line) => html`<div
          class="line"
          role="listitem"
          aria-setsize=${this.issues.length}
          aria-posinset=${line.index + 1}
          data-index=${line.index}
          ${styled({ transform: `translateY(${line.start - margin}px)` })}
        >
          <lb-issue-line .longbox=${this.longbox} .issue=${this.issues[line.index]}></lb-issue-line>
        </div>`,
      )}
    </div>`;
  }
}
