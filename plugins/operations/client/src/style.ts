import { standard } from "@longbox/sdk/ui";
import { css } from "lit";

/** What every part of the page looks like. */
export const style = [
  standard,
  css`
    ul {
      display: grid;
      gap: var(--lb-space-3);
    }
    .card {
      display: grid;
      gap: var(--lb-space-2);
    }
    .above {
      margin-bottom: var(--lb-space-4);
    }
    .below {
      margin-top: var(--lb-space-4);
    }
  `,
];
