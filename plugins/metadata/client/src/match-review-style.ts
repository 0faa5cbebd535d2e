import { css } from "lit";

/** Two covers beside each other, also on phones. */
export const reviewStyle = css`
  :host {
    display: grid;
    gap: var(--lb-space-4);
  }
  .pair {
    display: grid;
    grid-template-columns: 1fr 1fr;
    gap: var(--lb-space-4);
    padding: var(--lb-space-3);
    border-radius: var(--lb-radius-m);
    background: var(--lb-page);
  }
  figure {
    display: grid;
    justify-items: center;
    align-content: start;
    gap: var(--lb-space-2);
    margin: 0;
  }
  figure .cover {
    width: min(11rem, 100%);
  }
  figcaption {
    display: grid;
    text-align: center;
    overflow-wrap: anywhere;
  }
  .keys {
    font-size: var(--lb-text-s);
  }
  @media (hover: none) {
    .keys {
      display: none;
    }
  }
`;
