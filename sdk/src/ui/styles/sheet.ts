import { css } from "lit";

/**
 * A page as a printed sheet: a sentence in large type (`.statement`), then sections between rules, side by side
 * (`.sheet`); columns of figures (`.number`).
 */
export const sheet = css`
  .statement {
    max-width: 40ch;
    margin: var(--lb-space-4) 0 var(--lb-space-6);
    font: 400 clamp(1.375rem, 1.1rem + 1.5vw, 2.25rem) / 1.25 var(--lb-font-display);
    font-stretch: condensed;
    color: var(--lb-ink-soft);
    text-wrap: pretty;
  }
  .statement strong {
    color: var(--lb-ink);
    white-space: nowrap;
  }
  h1 + .notice,
  h1 + .skeleton {
    margin-top: var(--lb-space-5);
  }
  .sheet {
    display: grid;
    grid-template-columns: repeat(auto-fit, minmax(min(100%, 24rem), 1fr));
    gap: var(--lb-space-7) var(--lb-space-6);
  }
  section {
    display: grid;
    gap: var(--lb-space-4);
    align-content: start;
    min-width: 0;
    padding-top: var(--lb-space-3);
    border-top: 2px solid light-dark(var(--lb-ink), var(--lb-ink-soft));
  }
  .number {
    text-align: end;
    white-space: nowrap;
    font-variant-numeric: tabular-nums lining-nums;
  }
  th,
  td {
    padding-inline-start: 0;
  }
  tr > :last-child {
    padding-inline-end: 0;
  }
`;
