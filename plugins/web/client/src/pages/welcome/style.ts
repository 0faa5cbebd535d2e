import { css } from "lit";

/** The first visit: forms, and covers that drop into the box. */
export const welcomeStyle = css`
  .intro {
    margin-bottom: var(--lb-space-4);
  }
  form > .problem {
    padding: var(--lb-space-2) var(--lb-space-3);
    border-inline-start: 4px solid var(--lb-danger);
    background: var(--lb-page);
  }
  .arriving {
    display: grid;
    grid-template-columns: repeat(6, minmax(0, 1fr));
    gap: var(--lb-space-2);
    margin-bottom: var(--lb-space-5);
  }
  .arriving .cover {
    animation: drop 320ms cubic-bezier(0.2, 0.8, 0.3, 1);
  }
  .found {
    display: grid;
    gap: var(--lb-space-1);
    list-style: none;
    padding: 0;
  }
  .found strong {
    font: 800 var(--lb-text-l) / 1.2 var(--lb-font-display);
  }
  lb-slot[filled] {
    display: block;
    margin-block: var(--lb-space-5);
  }
  @keyframes drop {
    from {
      opacity: 0;
      transform: translateY(-24px);
    }
  }
  @media (prefers-reduced-motion: reduce) {
    .arriving .cover {
      animation: none;
    }
  }
  @media (max-width: 479px) {
    .arriving {
      grid-template-columns: repeat(4, minmax(0, 1fr));
    }
  }
`;
