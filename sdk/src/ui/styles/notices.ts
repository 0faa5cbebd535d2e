import { css } from "lit";

/** What `notice`, `trouble` and `skeleton` make. */
export const notices = css`
  .notice {
    display: grid;
    gap: var(--lb-space-3);
    justify-items: start;
    max-width: 34rem;
  }
  .notice-heading {
    font-size: var(--lb-text-xl);
  }
  .notice.drawn {
    justify-items: center;
    max-width: 30rem;
    margin-inline: auto;
    padding: var(--lb-space-7) var(--lb-space-4);
    text-align: center;
    overflow-wrap: anywhere;
  }
  .drawing {
    width: 7.5rem;
    fill: none;
    stroke: var(--lb-ink-soft);
    stroke-width: 2.5;
    stroke-linecap: round;
    stroke-linejoin: round;
  }
  .skeleton {
    display: grid;
    gap: var(--lb-space-4);
    max-width: 72rem;
  }
  .skeleton i {
    height: 4rem;
    border-radius: var(--lb-radius-s);
    background: color-mix(in oklab, var(--lb-line) 60%, transparent);
    animation: breathe 1.6s ease-in-out infinite alternate;
  }
  .skeleton.covers {
    grid-template-columns: repeat(auto-fill, minmax(min(30%, 148px), 1fr));
    max-width: none;
  }
  .skeleton.covers i {
    height: auto;
    aspect-ratio: 2 / 3;
  }
  @keyframes breathe {
    to {
      opacity: 0.45;
    }
  }
  @media (prefers-reduced-motion: reduce) {
    .skeleton i {
      animation: none;
    }
  }
`;
