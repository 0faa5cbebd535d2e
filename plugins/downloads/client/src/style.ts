import { notices, standard, tables } from "@longbox/sdk/ui";
import { css } from "lit";

/** What the parts of the page look like. */
export const style = [
  standard,
  tables,
  notices,
  css`
    section {
      display: grid;
      gap: var(--lb-space-3);
      margin-top: var(--lb-space-5);
    }
    td {
      overflow-wrap: anywhere;
    }
    td.actions {
      white-space: nowrap;
      text-align: end;
    }
    progress {
      width: 8rem;
    }
    ul.reasons {
      margin: 0;
      padding-inline-start: 1.2em;
    }
  `,
];
