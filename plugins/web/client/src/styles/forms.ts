import { fields } from "@longbox/sdk/ui";
import { css } from "lit";

/** Fields in a column, as wide as their form. */
export const forms = [
  fields,
  css`
    form,
    .stack {
      display: grid;
      grid-template-columns: minmax(0, 1fr);
      gap: var(--lb-space-4);
      align-content: start;
    }
    input:not([type="checkbox"], [type="radio"]),
    select,
    textarea {
      width: 100%;
      min-height: 2.75rem;
      padding-block: var(--lb-space-2);
    }
    .problem {
      font-size: var(--lb-text-s);
      font-weight: 600;
    }
  `,
];
