import { css } from "lit";

/** What `toastList` makes. */
export const toasts = css`
  .toasts {
    display: grid;
    gap: var(--lb-space-2);
  }
  .toast {
    display: flex;
    align-items: center;
    gap: var(--lb-space-3);
    padding-block: var(--lb-space-2);
    padding-inline: var(--lb-space-4) var(--lb-space-2);
    border-radius: var(--lb-radius-m);
    border-inline-start: 5px solid var(--tone);
    background: var(--lb-raised);
    color: var(--lb-ink);
    box-shadow: var(--lb-shadow-2);
    pointer-events: auto;
    animation: arrive 200ms ease-out;
  }
  .toast-text {
    display: grid;
    flex: 1;
    gap: var(--lb-space-1);
    min-width: 0;
    overflow-wrap: anywhere;
  }
  .info {
    --tone: var(--lb-accent);
  }
  .success {
    --tone: var(--lb-success);
  }
  .warning {
    --tone: var(--lb-warning);
  }
  .danger {
    --tone: var(--lb-danger);
  }
  @keyframes arrive {
    from {
      opacity: 0;
      transform: translateY(8px);
    }
  }
  @media (prefers-reduced-motion: reduce) {
    .toast {
      animation: none;
    }
  }
`;
