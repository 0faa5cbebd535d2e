import { css } from "lit";

/** What a `Dialog` and `confirm` make: in the middle of the window, on phones at its foot; `side` at its side. */
export const dialogs = css`
  dialog {
    width: min(48rem, calc(100vw - 2 * var(--lb-space-4)));
    max-height: min(52rem, calc(100dvh - 2 * var(--lb-space-4)));
    padding: var(--lb-space-5);
    border: 2px solid light-dark(var(--lb-ink), var(--lb-line));
    border-radius: var(--lb-radius-m);
    background: var(--lb-surface);
    color: var(--lb-ink);
    font: 400 var(--lb-text-m) / 1.5 var(--lb-font-text);
    box-shadow: var(--lb-shadow-2);
    overflow-y: auto;
    overscroll-behavior: contain;
  }
  dialog.small {
    width: min(30rem, calc(100vw - 2 * var(--lb-space-4)));
  }
  dialog[open] {
    display: grid;
    gap: var(--lb-space-4);
    align-content: start;
  }
  dialog > * {
    min-width: 0;
  }
  dialog::backdrop {
    background: light-dark(rgb(40 33 20 / 0.5), rgb(4 5 10 / 0.7));
  }
  .dialog-head {
    display: flex;
    align-items: start;
    justify-content: space-between;
    gap: var(--lb-space-3);
  }
  .dialog-head h2,
  dialog.small h2 {
    font-size: var(--lb-text-l);
    overflow-wrap: anywhere;
  }
  .dialog-head .round {
    margin-block-start: -0.5rem;
    margin-inline-end: -0.5rem;
  }
  .plan {
    display: grid;
    gap: var(--lb-space-1);
    max-height: 40dvh;
    padding: var(--lb-space-2) var(--lb-space-3);
    border: 1px solid var(--lb-line);
    border-radius: var(--lb-radius-s);
    overflow-y: auto;
    font-size: var(--lb-text-s);
    overflow-wrap: anywhere;
  }
  @media (width < 40rem) {
    dialog {
      max-width: none;
      width: 100vw;
      max-height: 90dvh;
      margin: auto 0 0;
      padding: var(--lb-space-4);
      padding-bottom: max(var(--lb-space-4), env(safe-area-inset-bottom));
      border-width: 2px 0 0;
      border-radius: var(--lb-radius-l) var(--lb-radius-l) 0 0;
    }
    dialog.small {
      width: 100vw;
    }
  }
  dialog.side {
    position: fixed;
    inset-block: 0;
    inset-inline: auto 0;
    width: min(26rem, 100vw);
    max-width: none;
    height: 100dvh;
    max-height: none;
    margin: 0;
    padding: var(--lb-space-4);
    border-width: 0;
    border-inline-start: 1px solid var(--lb-line);
    border-radius: 0;
  }
`;
