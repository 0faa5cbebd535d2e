import { css } from "lit";

/** Things below each other (`.stack`), beside each other (`.row`), or pushed apart (`.row.spread`, `.row.end`). */
export const layout = css`
  .stack {
    display: grid;
    grid-template-columns: minmax(0, 1fr);
    gap: var(--lb-space-3);
    align-content: start;
    min-width: 0;
  }
  .row {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: var(--lb-space-2);
    min-width: 0;
    max-width: 100%;
  }
  .row.spread {
    justify-content: space-between;
    gap: var(--lb-space-2) var(--lb-space-4);
  }
  .row.end {
    justify-content: flex-end;
  }
`;
