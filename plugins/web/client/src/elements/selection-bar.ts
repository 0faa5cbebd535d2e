import { actionButton, actionItems, count, icon, menuButton, type OfferedAction, t } from "@longbox/sdk/ui";
import { css, html, nothing } from "lit";

export interface SelectionBar {
  readonly selected: number;
  readonly one: string;
  readonly many: string;
  readonly actions: readonly OfferedAction[];
  readonly all: () => void;
  readonly clear: () => void;
}

const mostButtons = 3;

/** The bar at the bottom of the window while something is selected: the count and the actions. */
export function selectionBar({ selected, one, many, actions, all, clear }: SelectionBar) {
  if (selected === 0) return nothing;
  const buttons = actions.filter(({ isDangerous }) => !isDangerous).slice(0, mostButtons);
  const rest = actionItems(actions.filter((action) => !buttons.includes(action)));
  return html`<div class="selection-bar" role="toolbar" aria-label=${t("selectionBar.selection")}>
    <button
      class="quiet round"
      aria-label=${t("selectionBar.clearTheSelection")}
      title=${t("selectionBar.clearTheSelection")}
      @click=${clear}
    >
      ${icon("close")}
    </button>
    <strong role="status"
      >${count(selected, one, many)}<span class="hidden"> ${t("selectionBar.selected")}</span></strong
    >
    <button class="quiet" @click=${all}>${t("selectionBar.selectAll")}</button>
    <span class="selection-actions">
      <span class="selection-buttons">${buttons.map((action) => actionButton(action))}</span>
      ${rest.length === 0 ? nothing : menuButton(nothing, () => ({ label: t("selectionBar.moreForTheSelection"), items: rest }), { style: "round", label: t("selectionBar.moreForTheSelection"), icon: "more" })}
    </span>
    ${actions.length === 0 ? html`<span class="soft">${t("selectionBar.noActionIsAvailable")}</span>` : nothing}
  </div>`;
}

export const selectionBarStyle = css`
  .selection-bar {
    position: sticky;
    z-index: 15;
    bottom: var(--lb-space-4);
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: var(--lb-space-2) var(--lb-space-3);
    width: fit-content;
    max-width: 100%;
    margin: var(--lb-space-4) auto 0;
    padding: var(--lb-space-2) var(--lb-space-3);
    border: 2px solid light-dark(var(--lb-ink), var(--lb-line));
    border-radius: var(--lb-radius-l);
    background: var(--lb-raised);
    box-shadow: var(--lb-shadow-2);
  }
  .selection-actions,
  .selection-buttons {
    display: flex;
    gap: var(--lb-space-2);
  }
  .selection-buttons {
    flex-wrap: wrap;
  }
  @media (width < 45rem) {
    .selection-bar {
      bottom: calc(4.75rem + env(safe-area-inset-bottom));
      width: auto;
    }
    /* In one line that scrolls, so that the bar leaves room for what can be selected; the menu stays beside it. */
    .selection-actions {
      max-width: 100%;
    }
    .selection-buttons {
      flex-wrap: nowrap;
      overflow-x: auto;
      scrollbar-width: none;
    }
    .selection-actions > .round,
    .selection-buttons > * {
      flex: none;
    }
  }
`;
