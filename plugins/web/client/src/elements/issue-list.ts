import type { IssueRow } from "@longbox/collection/api";
import { type Badges, type Selection, t, VirtualRows, walls } from "@longbox/sdk/ui";
import { css, html, LitElement } from "lit";
import { customElement, property } from "lit/decorators.js";
import type { Shell } from "../shell/shell.js";
import { base } from "../styles/index.js";
import "./issue-line.js";

const linePixels = 76;

/** The issues of a series as a list. Of a long list, only the lines near the window are in the document. */
@customElement("lb-issue-list")
export class IssueList extends LitElement {
  @property({ attribute: false }) longbox!: Shell;
  @property({ attribute: false }) issues: readonly IssueRow[] = [];
  /** Names the list: `Issues`, `Books`. */
  @property({ attribute: false }) label = t("issueList.issues");
  @property({ attribute: false }) selection: Selection<number> | undefined;
  /** Belong to the page around the list, which renders the list again when they arrive. */
  @property({ attribute: false }) badges: Badges | undefined;
  /** Changes whenever the selection or a badge does. */
  @property({ attribute: false }) revision: unknown;
  readonly #rows = new VirtualRows(this);

  static override styles = [
    base,
    walls,
    css`
      :host {
        display: block;
        border-top: 1px solid var(--lb-line);
      }
    `,
  ];

  override render() {
    const { issues } = this;
    return this.#rows.render({ count: issues.length, heightPixels: linePixels, label: this.label }, (index) =>
      this.#line(issues[index], index),
    );
  }

  #line(issue: IssueRow | undefined, index: number) {
    if (!issue) return undefined;
    const { selection } = this;
    return html`<div
      role="listitem"
      aria-setsize=${this.issues.length}
      aria-posinset=${index + 1}
      @click=${{ handleEvent: (event: MouseEvent) => isOpening(event) && selection?.clicked(event, index), capture: true }}
      @keydown=${(event: KeyboardEvent) => isOpening(event) && selection?.pressed(event, index)}
      @pointerdown=${(event: PointerEvent) => selection?.touched(event, index)}
      @pointermove=${(event: PointerEvent) => selection?.moved(event)}
      @pointerup=${() => selection?.released()}
      @pointercancel=${() => selection?.released()}
    >
      <lb-issue-line
        .longbox=${this.longbox}
        .issue=${issue}
        .facts=${this.badges?.of(issue.id)}
        ?selected=${selection?.has(issue.id) ?? false}
      ></lb-issue-line>
    </div>`;
  }
}

/** Whether the event comes from the link that opens the issue, not from a button beside it. */
function isOpening(event: Event): boolean {
  return event
    .composedPath()
    .some((target) => target instanceof HTMLAnchorElement && target.classList.contains("what"));
}
