import { css } from "lit";

/**
 * The frame of a page: its margins, and its head (`.page-head`) with a heading and what can be done beside it;
 * `.narrow`, `.sections`.
 */
export const pageFrame = css`
  :host {
    display: block;
    padding: var(--lb-space-5) var(--lb-gutter, var(--lb-space-4)) var(--lb-space-7);
  }
  .page-head {
    display: flex;
    flex-wrap: wrap;
    align-items: end;
    justify-content: space-between;
    gap: var(--lb-space-3) var(--lb-space-5);
    margin-bottom: var(--lb-space-5);
  }
  .narrow {
    max-width: 46rem;
  }
  .sections {
    display: grid;
    grid-template-columns: minmax(0, 1fr);
    gap: var(--lb-space-5);
  }
`;
