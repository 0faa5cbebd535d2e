import { css } from "lit";

/** The layout of the page of the library. */
export const libraryStyle = css`
  .page-head {
    margin-bottom: var(--lb-space-3);
  }
  .filters {
    display: flex;
    gap: var(--lb-space-2);
    margin: 0 calc(-1 * var(--lb-gutter)) var(--lb-space-5);
    padding: var(--lb-space-1) var(--lb-gutter);
    overflow-x: auto;
    scrollbar-width: none;
  }
  .filters a {
    flex: none;
    min-height: 2.25rem;
    border-radius: 999px;
  }
  /* On a phone the menus share one line: their icons go, and long choices are cut. */
  @media (max-width: 479px) {
    .page-head .row {
      flex-wrap: nowrap;
      width: 100%;
    }
    .page-head .row > button:not(.round) {
      min-width: 0;
    }
    .page-head .row > button:not(.round) > .icon:first-of-type {
      display: none;
    }
    .page-head .row > button.round {
      flex: none;
      margin-inline-start: auto;
    }
    .page-head .shown {
      overflow: hidden;
      text-overflow: ellipsis;
      white-space: nowrap;
    }
  }
  .filters .n {
    font: 400 var(--lb-text-xs) var(--lb-font-mono);
    color: var(--lb-ink-soft);
  }
`;
