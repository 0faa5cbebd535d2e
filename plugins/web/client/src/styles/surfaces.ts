import { css } from "lit";

/** Cards, tags and tables. */
export const surfaces = css`
  .card {
    padding: var(--lb-space-5);
    border: 1px solid var(--lb-line);
    border-radius: var(--lb-radius-l);
    background: var(--lb-surface);
  }
  .card h2 {
    margin-bottom: var(--lb-space-3);
    font-size: var(--lb-text-l);
  }
  .tag {
    display: inline-flex;
    align-items: center;
    gap: var(--lb-space-1);
    padding: 1px var(--lb-space-2);
    border: 1px solid var(--lb-line);
    border-radius: 999px;
    font-size: var(--lb-text-xs);
    font-weight: 600;
    white-space: nowrap;
  }
  .tag.good {
    border-color: currentcolor;
    color: var(--lb-success);
  }
  .tag.bad {
    border-color: currentcolor;
    color: var(--lb-danger);
  }
  .tag.warn {
    border-color: currentcolor;
    color: var(--lb-warning);
  }
  .table-scroll {
    /* What is hidden from eyes alone scrolls with it. */
    position: relative;
    overflow-x: auto;
  }
  table {
    width: 100%;
    border-collapse: collapse;
  }
  th,
  td {
    padding: var(--lb-space-2) var(--lb-space-3);
    border-bottom: 1px solid var(--lb-line);
    text-align: start;
    vertical-align: middle;
  }
  th {
    font: 600 var(--lb-text-xs) / 1.4 var(--lb-font-mono);
    letter-spacing: 0.04em;
    text-transform: uppercase;
    color: var(--lb-ink-soft);
  }
`;
