import { standard } from "@longbox/sdk/ui";
import { css } from "lit";

/** The styles of all elements of the page. */
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
    /* A title beside its switch or state, which stays in its corner. */
    .head {
      flex-wrap: nowrap;
      align-items: start;
    }
    .head h2 {
      min-width: 0;
      overflow-wrap: anywhere;
    }
    .when {
      font-weight: 600;
    }
    .plan {
      max-height: 16rem;
      overflow-y: auto;
      overflow-wrap: anywhere;
    }
    .above {
      margin-bottom: var(--lb-space-4);
    }
    .below {
      margin-top: var(--lb-space-4);
    }
  `,
];
