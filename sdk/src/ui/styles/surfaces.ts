import { css } from "lit";

/**
 * Cards (`.roomy` ones look like those of the pages, and fill their place), tags (`.good`, `.bad`, `.warn`, `.busy`),
 * bars of progress (`progress`), and secrets that are shown once.
 */
export const surfaces = css`
  .card {
    padding: var(--lb-space-4);
    border: 1px solid var(--lb-line);
    border-radius: var(--lb-radius-m);
    background: var(--lb-surface);
    overflow-wrap: anywhere;
  }
  .card.roomy {
    height: 100%;
    padding: var(--lb-space-5);
    border-radius: var(--lb-radius-l);
  }
  .card h2 {
    font-size: var(--lb-text-l);
  }
  .card h3 {
    font-size: 1.125rem;
  }
  .tag {
    display: inline-flex;
    align-items: center;
    gap: var(--lb-space-1);
    padding: 1px var(--lb-space-2);
    border: 1px solid var(--lb-line);
    border-radius: 999px;
    font-size: var(--lb-text-xs);
    font-weight: 600;
    white-space: nowrap;
  }
  .tag.good {
    border-color: currentcolor;
    color: var(--lb-success);
  }
  .tag.bad {
    border-color: currentcolor;
    color: var(--lb-danger);
  }
  .tag.warn {
    border-color: currentcolor;
    color: var(--lb-warning);
  }
  .tag.busy {
    border-color: currentcolor;
    color: var(--lb-accent);
  }
  .progress-line {
    display: grid;
    gap: var(--lb-space-1);
    min-width: 0;
  }
  .progress-label {
    min-width: 0;
    overflow-wrap: anywhere;
  }
  .progress-bar {
    flex-wrap: nowrap;
  }
  progress {
    flex: 1;
    width: 100%;
    height: 0.5rem;
    overflow: hidden;
    appearance: none;
    border: 0;
    border-radius: 999px;
    background: var(--lb-line);
    color: var(--lb-accent);
    accent-color: var(--lb-accent);
  }
  progress::-webkit-progress-bar {
    background: var(--lb-line);
  }
  progress::-webkit-progress-value {
    background: var(--lb-accent);
  }
  progress::-moz-progress-bar {
    background: var(--lb-accent);
  }
  /* How far it is cannot be told: a light goes to and fro. */
  progress:indeterminate {
    background: linear-gradient(90deg, transparent, var(--lb-accent), transparent) 0 0 / 40% 100% no-repeat
      var(--lb-line);
    animation: to-and-fro 1.4s ease-in-out infinite alternate;
  }
  progress:indeterminate::-webkit-progress-bar {
    background: transparent;
  }
  progress:indeterminate::-moz-progress-bar {
    background: transparent;
  }
  @keyframes to-and-fro {
    to {
      background-position: 100% 0;
    }
  }
  @media (prefers-reduced-motion: reduce) {
    progress:indeterminate {
      animation: none;
    }
  }
  .shown-once p {
    margin: 0;
  }
  .shown-once code {
    display: block;
    padding: var(--lb-space-3);
    border: 1px dashed var(--lb-ink-soft);
    border-radius: var(--lb-radius-s);
    background: var(--lb-page);
    font-family: var(--lb-font-mono);
    overflow-wrap: anywhere;
    user-select: all;
  }
`;
