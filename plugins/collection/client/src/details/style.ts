import { standard } from "@longbox/sdk/ui";
import { css } from "lit";

/** The form of a series: a lock beside each field, and covers to choose from. */
export const detailsStyle = [
  standard,
  css`
    .line {
      display: grid;
      grid-template-columns: minmax(0, 1fr) auto;
      gap: var(--lb-space-3);
      align-items: start;
    }
    .lock {
      min-height: var(--lb-control, 2.5rem);
      margin-top: 1.4rem;
    }
    fieldset {
      display: grid;
      gap: var(--lb-space-2);
      min-width: 0;
      margin: 0;
      padding: 0;
      border: 0;
    }
    legend {
      padding: 0;
      font-weight: 600;
      font-size: var(--lb-text-s);
    }
    .covers {
      display: grid;
      grid-template-columns: repeat(auto-fill, minmax(5rem, 1fr));
      gap: var(--lb-space-3);
      max-height: 22rem;
      margin: 0;
      padding: var(--lb-space-1);
      overflow-y: auto;
      list-style: none;
    }
    .covers label {
      position: relative;
      display: grid;
      gap: var(--lb-space-1);
      border-radius: var(--lb-radius-s);
      cursor: pointer;
    }
    .covers label:has(:checked) {
      outline: 3px solid var(--lb-accent);
    }
    .covers label:has(:focus-visible) {
      outline: 3px solid var(--lb-ink);
    }
  `,
];
