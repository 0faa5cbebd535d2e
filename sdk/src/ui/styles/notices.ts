import { css } from "lit";

/** What `notice` and `skeleton` make. */
export const notices = css`
  .notice {
    display: grid;
    gap: var(--lb-space-3);
    justify-items: start;
    max-width: 34rem;
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
  }
`;
