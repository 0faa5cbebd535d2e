import { standard } from "@longbox/sdk/ui";
import { css } from "lit";

/** Parts one under the other, each under its name. */
export const style = [
  standard,
  css`
    section {
      display: grid;
      gap: var(--lb-space-3);
      min-width: 0;
      padding-block: var(--lb-space-4);
      border-top: 1px solid var(--lb-line);
    }
    section > h2 {
      font-size: var(--lb-text-l);
    }
    .icons {
      display: grid;
      grid-template-columns: repeat(auto-fill, minmax(6.5rem, 1fr));
      gap: var(--lb-space-3);
    }
    .icons li {
      display: grid;
      justify-items: center;
      gap: var(--lb-space-1);
      font-size: var(--lb-text-s);
    }
    .icons .icon {
      font-size: 1.5rem;
    }
  `,
];
