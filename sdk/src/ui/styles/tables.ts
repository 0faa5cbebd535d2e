import { css } from "lit";

/** Tables, and the place that one scrolls in when it is wider than its page: `.table-scroll`. */
export const tables = css`
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
  thead th {
    font: 600 var(--lb-text-xs) / 1.4 var(--lb-font-mono);
    letter-spacing: calc(0.04em * var(--lb-tracking, 1));
    text-transform: uppercase;
    color: var(--lb-ink-soft);
  }
`;
