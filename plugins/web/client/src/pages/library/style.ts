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
  .filters .n {
    font: 400 var(--lb-text-xs) var(--lb-font-mono);
    color: var(--lb-ink-soft);
  }
`;
