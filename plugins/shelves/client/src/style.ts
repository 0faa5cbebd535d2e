import { cards, covers, dialogs, menus, notices, pageFrame, standard, walls } from "@longbox/sdk/ui";
import { css } from "lit";

/** What `chips` makes, and numbers on buttons. */
export const chipStyle = css`
  .n {
    font: 400 var(--lb-text-xs) var(--lb-font-mono);
  }
  .chips {
    display: flex;
    flex-wrap: wrap;
    gap: var(--lb-space-2);
    list-style: none;
    margin: 0 0 var(--lb-space-4);
    padding: 0;
  }
  .chip {
    min-height: 2.25rem;
    border-radius: 999px;
    overflow-wrap: anywhere;
  }
  .chip .icon {
    width: 0.8em;
  }
`;

/** What the page looks like: facets at the side, or in a sheet on a narrow window. */
export const style = [
  standard,
  pageFrame,
  walls,
  cards,
  covers,
  dialogs,
  menus,
  notices,
  chipStyle,
  css`
    .page-head {
      margin-bottom: var(--lb-space-3);
    }
    .page-head label {
      display: flex;
      align-items: center;
      gap: var(--lb-space-2);
    }
    .page-head input[type="search"] {
      width: 12rem;
    }
    .columns {
      display: grid;
      grid-template-columns: 16rem minmax(0, 1fr);
      gap: var(--lb-space-6);
    }
    .found {
      min-width: 0;
    }
    .facets > shelves-facet:first-child,
    .sheet-facets > shelves-facet:first-child {
      padding-top: 0;
    }
    .sheet-button {
      display: none;
    }
    .pager {
      justify-content: center;
      margin-top: var(--lb-space-5);
    }
    @media (max-width: 900px) {
      .columns {
        grid-template-columns: minmax(0, 1fr);
      }
      .facets {
        display: none;
      }
      .sheet-button {
        display: inline-flex;
      }
      .page-head input[type="search"] {
        width: 100%;
      }
      dialog {
        inset: auto 0 0;
        width: 100%;
        max-width: none;
        max-height: 85dvh;
        margin: 0;
        border-radius: var(--lb-radius-l) var(--lb-radius-l) 0 0;
        overflow-y: auto;
      }
    }
  `,
];
