import { css } from "lit";

/** Dialogs of the platform, in the shell's clothes. */
export const dialogStyle = css`
  dialog {
    width: min(48rem, calc(100vw - 2 * var(--lb-space-4)));
    max-height: min(52rem, calc(100dvh - 2 * var(--lb-space-4)));
    padding: var(--lb-space-5);
    border: 1px solid var(--lb-line);
    border-radius: var(--lb-radius-l);
    background: var(--lb-page);
    color: var(--lb-ink);
    box-shadow: var(--lb-shadow-2);
  }
  dialog::backdrop {
    background: rgb(0 0 0 / 55%);
  }
  .head {
    display: flex;
    align-items: start;
    justify-content: space-between;
    gap: var(--lb-space-3);
  }
  .inside {
    display: grid;
    gap: var(--lb-space-4);
  }
  @media (width < 40rem) {
    dialog {
      padding: var(--lb-space-4);
    }
  }
`;
