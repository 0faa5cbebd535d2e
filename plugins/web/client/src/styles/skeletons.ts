import { css } from "lit";

/** What `skeleton` makes. */
export const skeletons = css`
  .skeleton-wall {
    display: grid;
    grid-template-columns: repeat(auto-fill, minmax(min(30%, 148px), 1fr));
    gap: var(--lb-space-4);
  }
  .skeleton-wall i {
    aspect-ratio: 2 / 3;
  }
  .skeleton-text {
    display: grid;
    gap: var(--lb-space-3);
    max-width: 40rem;
  }
  .skeleton-text i {
    height: 1.25rem;
  }
  .skeleton-text i:last-child {
    width: 60%;
  }
  .skeleton-wall i,
  .skeleton-text i {
    border-radius: var(--lb-radius-s);
    background: color-mix(in oklab, var(--lb-line) 60%, transparent);
    animation: breathe 1.6s ease-in-out infinite alternate;
  }
  @keyframes breathe {
    to {
      opacity: 0.45;
    }
  }
  @media (prefers-reduced-motion: reduce) {
    .skeleton-wall i,
    .skeleton-text i {
      animation: none;
    }
  }
`;
