import { covers, dialogs, notices, standard } from "@longbox/sdk/ui";
import { css } from "lit";

/** The styles of the elements of Open Library. */
export const style = [
  standard,
  covers,
  dialogs,
  notices,
  css`
    ul {
      display: grid;
      gap: var(--lb-space-3);
      list-style: none;
      padding: 0;
    }
    h2,
    h3 {
      font-size: var(--lb-text-m);
      line-height: 1.2;
    }
    .about {
      display: grid;
      gap: var(--lb-space-1);
      overflow-wrap: anywhere;
    }
    .facts {
      font-family: var(--lb-font-mono);
      font-size: var(--lb-text-xs);
      color: var(--lb-ink-soft);
    }
    .reasons {
      font-size: var(--lb-text-s);
    }
    form.search {
      display: flex;
      flex-wrap: wrap;
      align-items: end;
      gap: var(--lb-space-2);
    }
    form.search .field {
      flex: 1 1 16rem;
    }
    button {
      min-height: 2.75rem;
    }
  `,
];
