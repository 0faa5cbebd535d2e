import { base, buttons, headings, notices, pageFrame, sheet, tables } from "@longbox/sdk/ui";
import { css } from "lit";

const own = css`
  :host {
    position: relative;
  }
  .statement {
    max-width: 34ch;
  }
  .wide {
    grid-column: 1 / -1;
  }
  .headline {
    display: flex;
    flex-wrap: wrap;
    align-items: baseline;
    gap: 0 var(--lb-space-3);
  }
  .headline strong {
    font: 700 clamp(3rem, 2rem + 4vw, 4.5rem) / 1 var(--lb-font-display);
    font-variant-numeric: lining-nums;
  }
  caption {
    padding-bottom: var(--lb-space-2);
    color: var(--lb-ink-soft);
    text-align: start;
  }
  .strong {
    font-weight: 700;
  }
  .who {
    display: flex;
    align-items: center;
    gap: var(--lb-space-2);
    overflow-wrap: anywhere;
  }
  .gauge {
    width: 45%;
    padding-inline-start: var(--lb-space-2);
  }
  .gaps {
    display: grid;
  }
  .gaps li {
    display: grid;
    grid-template-columns: minmax(0, 1fr) auto auto;
    gap: var(--lb-space-1) var(--lb-space-4);
    align-items: baseline;
    padding: var(--lb-space-2) 0 var(--lb-space-3);
    border-bottom: 1px solid var(--lb-line);
  }
  .gaps a {
    color: var(--lb-ink);
    font: 700 1.125rem / 1.3 var(--lb-font-display);
    text-decoration-color: var(--lb-accent);
    text-decoration-thickness: 1px;
    text-underline-offset: 0.2em;
    overflow-wrap: anywhere;
  }
  .gaps a:hover {
    color: var(--lb-accent);
  }
  .gap-bar {
    grid-column: 1 / -1;
  }
  .gap-bar .bar,
  .gauge .bar {
    height: 0.5rem;
  }
  .skeleton i {
    height: 2rem;
  }
  .skeleton i:last-child {
    height: 12rem;
  }
  @media (width < 40rem) {
    .size {
      display: none;
    }
    tr > :nth-last-child(2) {
      padding-inline-end: 0;
    }
    .gauge {
      width: 26%;
    }
  }
`;

/** The page as a printed sheet: rules and type, no boxes. */
export const style = [base, headings, buttons, tables, notices, pageFrame, sheet, own];
