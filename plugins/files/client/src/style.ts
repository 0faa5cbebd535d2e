import { css } from "lit";

/** What every part of the page looks like; colours and sizes are the shell's. */
export const style = css`
  :host {
    display: block;
    color: var(--lb-ink);
    font: 400 var(--lb-text-m) / 1.5 var(--lb-font-text);
  }
  *,
  *::before,
  *::after {
    box-sizing: border-box;
  }
  h1,
  h2,
  p,
  h3,
  ul {
    margin: 0;
    padding: 0;
  }
  ul {
    display: grid;
    gap: var(--lb-space-3);
    list-style: none;
  }
  h1,
  h2,
  h3 {
    font-family: var(--lb-font-display);
    font-stretch: condensed;
    line-height: 1.1;
  }
  h1 {
    font-size: var(--lb-text-xxl);
  }
  h2 {
    font-size: var(--lb-text-l);
  }
  h3 {
    font-size: 1.125rem;
  }
  .card {
    display: grid;
    gap: var(--lb-space-2);
    padding: var(--lb-space-4);
    border: 1px solid var(--lb-line);
    border-radius: var(--lb-radius-m);
    background: var(--lb-surface);
  }
  .line {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    justify-content: space-between;
    gap: var(--lb-space-2) var(--lb-space-4);
  }
  .end {
    justify-content: flex-end;
  }
  .start {
    justify-content: flex-start;
  }
  /* Waits to be filled and read out, without a gap of its own. */
  [role="status"]:empty {
    position: absolute;
  }
  .soft {
    color: var(--lb-ink-soft);
    overflow-wrap: anywhere;
  }
  .label {
    font-family: var(--lb-font-mono);
    font-size: var(--lb-text-xs);
    letter-spacing: 0.04em;
    text-transform: uppercase;
    color: var(--lb-ink-soft);
  }
  .problem {
    color: var(--lb-danger);
    overflow-wrap: anywhere;
  }
  .tag {
    padding: 0 var(--lb-space-2);
    border: 1px solid currentColor;
    border-radius: 999px;
    font-size: var(--lb-text-xs);
    font-weight: 700;
    color: var(--lb-ink-soft);
  }
  .tag.good {
    color: var(--lb-success);
  }
  .tag.bad {
    color: var(--lb-danger);
  }
  .tag.busy {
    color: var(--lb-accent);
  }
  .tag.warn {
    color: var(--lb-warning);
  }
  button,
  a.button {
    display: inline-flex;
    align-items: center;
    min-height: 2.5rem;
    padding: 0 var(--lb-space-4);
    border: 1.5px solid var(--lb-line);
    border-radius: var(--lb-radius-m);
    background: var(--lb-raised);
    color: var(--lb-ink);
    font: 600 var(--lb-text-s) / 1.2 var(--lb-font-text);
    text-decoration: none;
    cursor: pointer;
  }
  button:hover,
  a.button:hover {
    border-color: var(--lb-ink-soft);
  }
  button.strong {
    border-color: var(--lb-accent);
    background: var(--lb-accent);
    color: var(--lb-on-accent);
  }
  button.danger {
    border-color: var(--lb-danger);
    color: var(--lb-danger);
  }
  button[disabled] {
    opacity: 0.55;
    cursor: default;
  }
  input,
  select {
    min-height: 2.5rem;
    padding: 0 var(--lb-space-3);
    border: 1.5px solid color-mix(in oklab, var(--lb-ink-soft) 70%, var(--lb-line));
    border-radius: var(--lb-radius-m);
    background: var(--lb-raised);
    color: var(--lb-ink);
    font: 1rem / 1.3 var(--lb-font-text);
  }
  form.line {
    align-items: end;
  }
  label {
    display: inline-flex;
    align-items: center;
    gap: var(--lb-space-2);
    font-size: var(--lb-text-s);
    font-weight: 600;
  }
  .stack,
  .running {
    display: grid;
    gap: var(--lb-space-3);
  }
  .running {
    padding: var(--lb-space-3) var(--lb-space-4);
    border-radius: var(--lb-radius-m);
    background: var(--lb-accent-soft);
  }
  .running .soft,
  .running .label {
    color: var(--lb-ink);
  }
  progress {
    width: 100%;
    height: 0.5rem;
    accent-color: var(--lb-accent);
  }
  :focus-visible {
    outline: var(--lb-focus);
    outline-offset: 2px;
  }
`;
