import { css } from "lit";

/** A row of links to the sections of a page: `.tabs`. */
export const tabs = css`
  .tabs {
    display: flex;
    gap: var(--lb-space-1);
    margin-bottom: var(--lb-space-5);
    border-bottom: 1px solid var(--lb-line);
    overflow-x: auto;
  }
  .tabs a {
    padding: var(--lb-space-3) var(--lb-space-4);
    border-bottom: 3px solid transparent;
    color: var(--lb-ink-soft);
    font-weight: 600;
    text-decoration: none;
    white-space: nowrap;
  }
  .tabs a:hover {
    color: var(--lb-ink);
  }
  .tabs a[aria-current="page"] {
    border-color: var(--lb-accent);
    color: var(--lb-ink);
  }
  .tabs a:focus-visible {
    outline-offset: -3px;
  }
`;
