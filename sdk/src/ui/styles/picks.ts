import { css } from "lit";

/** A list of buttons to pick from, which scrolls by itself: `.picks`. */
export const picks = css`
  .picks {
    display: grid;
    max-height: 18rem;
    overflow-y: auto;
    border: 1.5px solid var(--lb-line);
    border-radius: var(--lb-radius-m);
    background: var(--lb-raised);
  }
  .picks button {
    justify-content: start;
    border: 0;
    border-radius: 0;
    background: none;
    font-weight: 400;
    text-align: start;
    overflow-wrap: anywhere;
  }
  .picks button:hover {
    background: var(--lb-accent-soft);
  }
  .picks button:focus-visible {
    outline-offset: -3px;
  }
  .picks p {
    padding: var(--lb-space-3) var(--lb-space-4);
  }
`;
