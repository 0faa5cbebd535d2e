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
    .under {
      margin-bottom: var(--lb-space-3);
    }
    td {
      overflow-wrap: anywhere;
    }
    td.actions {
      white-space: nowrap;
      text-align: end;
    }
    /* On a phone each row is a card: its columns would be a few letters wide. */
    @media (max-width: 40rem) {
      table,
      tbody,
      tr,
      td {
        display: block;
      }
      thead {
        position: absolute;
        width: 1px;
        height: 1px;
        overflow: hidden;
        clip-path: inset(50%);
      }
      tr {
        padding-block: var(--lb-space-3);
        border-bottom: 1px solid var(--lb-line);
      }
      td {
        padding: var(--lb-space-1) 0;
        border: 0;
      }
      td:empty {
        display: none;
      }
      td[data-label]::before {
        content: attr(data-label) ": ";
        color: var(--lb-ink-soft);
      }
      td.actions {
        white-space: normal;
        text-align: start;
      }
    }
    td.state > * + * {
      margin-block: var(--lb-space-1) 0;
    }
    ul.reasons {
      margin: 0;
      padding: 0;
      list-style: none;
    }
    ul.reasons li {
      display: flex;
      gap: var(--lb-space-1);
      align-items: baseline;
    }
    ul.reasons svg {
      flex: none;
      width: 0.9em;
      height: 0.9em;
    }
  `,
];
