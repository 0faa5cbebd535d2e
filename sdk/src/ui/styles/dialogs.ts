import { css } from "lit";

/** What a `Dialog` makes. */
export const dialogs = css`
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
  dialog[open] {
    display: grid;
    gap: var(--lb-space-4);
    align-content: start;
  }
  dialog::backdrop {
    background: rgb(0 0 0 / 55%);
  }
  .dialog-head {
    display: flex;
    align-items: start;
    justify-content: space-between;
    gap: var(--lb-space-3);
  }
  .dialog-head h2 {
    font-size: var(--lb-text-l);
    overflow-wrap: anywhere;
  }
  @media (width < 40rem) {
    dialog {
      padding: var(--lb-space-4);
    }
  }
`;
