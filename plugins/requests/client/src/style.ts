import { covers, dialogs, notices, standard } from "@longbox/sdk/ui";
import { css } from "lit";

/** The styles of the page's elements. */
export const style = [
  standard,
  covers,
  dialogs,
  notices,
  css`
    section {
      display: grid;
      gap: var(--lb-space-3);
      margin-top: var(--lb-space-6);
    }
    ul {
      display: grid;
      gap: var(--lb-space-3);
      grid-template-columns: repeat(auto-fill, minmax(min(24rem, 100%), 1fr));
      list-style: none;
      padding: 0;
    }
    li.card {
      display: grid;
      grid-template-columns: 5.5rem minmax(0, 1fr);
      gap: var(--lb-space-4);
      align-items: start;
    }
    .about {
      display: grid;
      gap: var(--lb-space-2);
      overflow-wrap: anywhere;
    }
    .note {
      border-inline-start: 3px solid var(--lb-line);
      padding-inline-start: var(--lb-space-3);
    }
  `,
];
