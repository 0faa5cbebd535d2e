import { css } from "lit";

/** The layout of a stage that shows one spread at a time. */
export const pagedStyle = css`
  :host {
    display: block;
    position: relative;
    overflow: hidden;
    touch-action: none;
    user-select: none;
    -webkit-user-select: none;
    cursor: default;
  }
  .sheet {
    position: absolute;
    inset: 0 auto auto 0;
    /* Pages follow each other by the direction of the comic, whatever that of the language is. */
    direction: ltr;
    display: flex;
    transform-origin: 0 0;
    will-change: transform;
  }
  .sheet.rtl {
    flex-direction: row-reverse;
  }
  .leaf {
    position: relative;
    flex: none;
  }
  .leaf img {
    position: absolute;
    top: 50%;
    left: 50%;
    translate: -50% -50%;
    filter: var(--page-filter, none);
  }
  .sheet.turned {
    animation: come var(--lb-fast, 140ms) ease-out;
  }
  @keyframes come {
    from {
      opacity: 0.4;
    }
  }
  .page-notice {
    position: absolute;
    inset: 0;
    display: grid;
    place-content: center;
    justify-items: center;
    gap: var(--lb-space-4);
    padding: var(--lb-space-5);
    text-align: center;
    font: 400 var(--lb-text-m) / 1.5 var(--lb-font-text);
    color: var(--lb-ink);
    pointer-events: none;
  }
  .page-notice button {
    pointer-events: auto;
    padding: var(--lb-space-2) var(--lb-space-5);
    border: 1px solid var(--lb-line);
    border-radius: var(--lb-radius-m);
    background: var(--lb-raised);
    color: inherit;
    font: inherit;
    cursor: pointer;
  }
  .page-notice button:focus-visible {
    outline: var(--lb-focus);
    outline-offset: 2px;
  }
  .spinner {
    width: 2.5rem;
    height: 2.5rem;
    border: 3px solid var(--lb-line);
    border-top-color: var(--lb-accent);
    border-radius: 50%;
    animation: spin 900ms linear infinite;
  }
  @keyframes spin {
    to {
      transform: rotate(1turn);
    }
  }
  @media (prefers-reduced-motion: reduce) {
    .sheet.turned,
    .spinner {
      animation: none;
    }
  }
`;
