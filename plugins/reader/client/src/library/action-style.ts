import { css } from "lit";

/** Buttons and links that stand among the actions of a page. */
export const actionStyle = css`
  :host {
    display: inline-flex;
    flex-wrap: wrap;
    gap: var(--lb-space-2);
    align-items: center;
    font: 400 var(--lb-text-m) / 1.2 var(--lb-font-text);
  }
  a,
  button {
    display: inline-flex;
    align-items: center;
    gap: var(--lb-space-2);
    min-height: 44px;
    padding: 0 var(--lb-space-4);
    border: 1px solid var(--lb-line);
    border-radius: var(--lb-radius-m);
    background: var(--lb-raised);
    color: var(--lb-ink);
    font: inherit;
    text-decoration: none;
    cursor: pointer;
    transition: background var(--lb-fast);
  }
  a.strong {
    border-color: transparent;
    background: var(--lb-accent);
    color: var(--lb-on-accent);
    font-weight: 700;
  }
  button[aria-pressed="true"] {
    border-color: var(--lb-accent);
    color: var(--lb-accent);
  }
  a:hover,
  button:hover {
    background: color-mix(in oklab, var(--lb-accent) 12%, var(--lb-raised));
  }
  a.strong:hover {
    background: color-mix(in oklab, var(--lb-ink) 14%, var(--lb-accent));
  }
  :focus-visible {
    outline: var(--lb-focus);
    outline-offset: 2px;
  }
  .icon {
    width: 20px;
    height: 20px;
  }
`;
