import type { IssueRow } from "@longbox/collection/api";
import { issueNames } from "@longbox/collection/client";
import { actionBar, badge, type BadgedFacts, cards, cover, covers, month, t } from "@longbox/sdk/ui";
import { css, html, LitElement, nothing } from "lit";
import { customElement, property } from "lit/decorators.js";
import type { Shell } from "../shell/shell.js";
import { base, buttons, surfaces } from "../styles/index.js";

/** One issue in a list: a link to the issue, its first action as a button, and the other actions in a menu. */
@customElement("lb-issue-line")
export class IssueLine extends LitElement {
  @property({ attribute: false }) longbox!: Shell;
  @property({ attribute: false }) issue!: IssueRow;
  @property({ attribute: false }) facts: BadgedFacts = { badges: [], facts: {} };
  @property({ type: Boolean, reflect: true }) selected = false;

  static override styles = [
    base,
    buttons,
    surfaces,
    covers,
    cards,
    css`
      :host {
        display: grid;
        grid-template-columns: 2.75rem minmax(0, 1fr) auto;
        gap: var(--lb-space-3);
        align-items: center;
        height: 76px;
        padding-inline: var(--lb-space-2);
        border-bottom: 1px solid var(--lb-line);
      }
      :host([selected]) {
        background: var(--lb-accent-soft);
        box-shadow: inset 4px 0 var(--lb-accent);
      }
      :host([selected]:dir(rtl)) {
        box-shadow: inset -4px 0 var(--lb-accent);
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
      strong {
        font: 700 1.125rem / 1.2 var(--lb-font-display);
      }
      .row {
        flex-wrap: nowrap;
      }
      @media (width < 35rem) {
        .wide {
          display: none;
        }
      }
    `,
  ];

  override render() {
    const { issue } = this;
    const { heading } = issueNames(issue, "");
    const state = issue.owned ? undefined : issue.wanted ? t("issueLine.wanted") : t("issueLine.notOwned");
    return html`${cover({ path: issue.cover, title: issue.label.short, sizes: "44px", isMissing: !issue.owned })}
      <a class="what" href="/issue/${issue.cvIssueId}" draggable="false">
        <strong>${heading}</strong>
        <span class="label"
          >${[issue.coverDate ? month(issue.coverDate) : undefined, state].filter(Boolean).join(" · ")}</span
        >
        ${this.selected ? html`<span class="hidden">${t("issueLine.selected")}</span>` : nothing}
      </a>
      <div class="row">
        ${issue.corrupt ? html`<span class="tag bad wide">${t("issueLine.damaged")}</span>` : nothing}
        ${this.facts.badges.map(badge)}
        ${actionBar(this.#actions(), { label: t("issueLine.moreFor", { short: issue.label.short }), mostButtons: 1, isPlain: true })}
      </div>`;
  }

  #actions() {
    return this.longbox.actions({ kind: "issue", items: [{ ...this.issue, ...this.facts.facts }] });
  }
}
