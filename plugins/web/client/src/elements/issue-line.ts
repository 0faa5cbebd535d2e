import { month } from "@longbox/sdk/ui";
import { css, html, LitElement, nothing } from "lit";
import { customElement, property } from "lit/decorators.js";
import type { IssueRow } from "../shell/shapes.js";
import type { Shell } from "../shell/shell.js";
import { issueNumber } from "../shell/wording.js";
import { base, buttons, surfaces } from "../styles/index.js";
import "./cover.js";
import "./slot.js";

/** One issue in a list, with what plugins offer to do with it. */
@customElement("lb-issue-line")
export class IssueLine extends LitElement {
  @property({ attribute: false }) longbox!: Shell;
  @property({ attribute: false }) issue!: IssueRow;

  static override styles = [
    base,
    buttons,
    surfaces,
    css`
      :host {
        display: grid;
        grid-template-columns: 2.75rem minmax(0, 1fr) auto;
        gap: var(--lb-space-3);
        align-items: center;
        padding: var(--lb-space-2) 0;
        border-bottom: 1px solid var(--lb-line);
      }
      .what {
        display: grid;
        min-width: 0;
        color: var(--lb-ink);
        text-decoration: none;
      }
      .what:hover strong {
        text-decoration: underline;
      }
      .what > * {
        overflow: hidden;
        text-overflow: ellipsis;
        white-space: nowrap;
      }
      .row:empty {
        display: none;
      }
      @media (max-width: 639px) {
        :host {
          grid-template-columns: 2.75rem minmax(0, 1fr);
        }
        .row {
          grid-column: 1 / -1;
        }
        lb-slot {
          justify-content: start;
        }
      }
      strong {
        font: 700 1.125rem / 1.2 var(--lb-font-display);
      }
      lb-slot {
        display: flex;
        flex-wrap: wrap;
        justify-content: end;
        gap: var(--lb-space-2);
      }
    `,
  ];

  override render() {
    const { issue } = this;
    return html`<lb-cover .path=${issue.cover} title=${issueNumber(issue.number)} sizes="44px" ?missing=${!issue.owned}></lb-cover>
      <a class="what" href="/issue/${issue.cvIssueId}">
        <strong>${issueNumber(issue.number)}${issue.title ? html` ${issue.title}` : nothing}</strong>
        <span class="label">${[issue.coverDate ? month(issue.coverDate) : undefined, issue.owned ? undefined : issue.wanted ? "wanted" : "not owned"].filter(Boolean).join(" · ")}</span>
      </a>
      <div class="row">
        ${issue.corrupt ? html`<span class="tag bad">Damaged</span>` : nothing}
        ${issue.owned ? html`<lb-slot name="issue.actions" lazy .longbox=${this.longbox} .subject=${{ issue }}></lb-slot>` : nothing}
      </div>`;
  }
}
