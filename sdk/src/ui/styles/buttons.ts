import { css } from "lit";

/** Buttons, and links that look like them (`.button`): `.primary`, `.danger`, `.quiet`, `.round`, pressed ones. */
export const buttons = css`
  button,
  .button {
    display: inline-flex;
    align-items: center;
    justify-content: center;
    gap: var(--lb-space-2);
    min-height: var(--lb-control, 2.5rem);
    padding: 0 var(--lb-space-4);
    border: 1.5px solid var(--lb-line);
    border-radius: var(--lb-radius-m);
    background: var(--lb-surface);
    color: var(--lb-ink);
    font: 600 var(--lb-text-s) / 1.2 var(--lb-font-text);
    text-decoration: none;
    cursor: pointer;
    transition:
      background var(--lb-fast),
      border-color var(--lb-fast),
      transform var(--lb-fast);
  }
  button:hover,
  .button:hover {
    border-color: var(--lb-ink-soft);
  }
  button:active,
  .button:active {
    transform: translateY(1px);
  }
  button[disabled] {
    opacity: 0.55;
    cursor: default;
    transform: none;
  }
  .primary {
    border-color: var(--lb-accent);
    background: var(--lb-accent);
    color: var(--lb-on-accent);
  }
  .primary:hover {
    border-color: var(--lb-accent);
    background: color-mix(in oklab, var(--lb-accent) 86%, var(--lb-ink));
  }
  .danger {
    border-color: var(--lb-danger);
    color: var(--lb-danger);
  }
  .quiet {
    border-color: transparent;
    background: transparent;
  }
  .quiet:hover {
    border-color: transparent;
    background: var(--lb-accent-soft);
  }
  .round {
    width: var(--lb-control, 2.5rem);
    padding: 0;
    border-radius: 999px;
  }
  button[aria-pressed="true"],
  .button[aria-current="true"] {
    border-color: var(--lb-accent);
    background: var(--lb-accent-soft);
    color: var(--lb-ink);
  }
`;
