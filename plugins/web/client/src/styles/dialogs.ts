import { css } from "lit";

/** Web Awesome's dialogs, with our headings. */
export const dialogs = css`
  wa-dialog::part(header) {
    padding-top: var(--lb-space-4);
  }
  wa-dialog::part(title) {
    font: 700 var(--lb-text-xl) / 1.05 var(--lb-font-display);
  }
  wa-dialog::part(dialog) {
    border: 2px solid light-dark(var(--lb-ink), var(--lb-line));
    border-radius: var(--lb-radius-m);
    background: var(--lb-surface);
  }
`;
