import { css } from "lit";

/** Headings and running text: `.display`, `.prose`. */
export const headings = css`
  h1,
  h2,
  h3,
  .display {
    font-family: var(--lb-font-display);
    font-stretch: condensed;
    font-weight: 700;
    line-height: 1.05;
    letter-spacing: calc(-0.005em * var(--lb-tracking, 1));
    text-wrap: balance;
    overflow-wrap: anywhere;
    hyphens: auto;
    /* A title keeps the order of its own language. */
    unicode-bidi: plaintext;
  }
  h1 {
    font-size: var(--lb-text-xxl);
  }
  /* Clear of letters that reach below the line. */
  h1 + .label {
    margin-block-start: var(--lb-space-2);
  }
  h2 {
    font-size: var(--lb-text-xl);
  }
  h3 {
    font-size: var(--lb-text-l);
  }
  .prose {
    max-width: 68ch;
    line-height: 1.6;
    overflow-wrap: anywhere;
  }
`;
