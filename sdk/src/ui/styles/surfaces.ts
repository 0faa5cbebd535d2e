import { css } from "lit";

/** Cards, tags (`.good`, `.bad`, `.warn`, `.busy`) and bars of progress. */
export const surfaces = css`
  .card {
    padding: var(--lb-space-4);
    border: 1px solid var(--lb-line);
    border-radius: var(--lb-radius-m);
    background: var(--lb-surface);
    overflow-wrap: anywhere;
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
  progress {
    width: 100%;
    height: 0.5rem;
    accent-color: var(--lb-accent);
  }
`;
