import { surfaces as cards, tables } from "@longbox/sdk/ui";
import { css } from "lit";

/** Tables, tags and cards. */
export const surfaces = [
  cards,
  tables,
  css`
    .card {
      padding: var(--lb-space-5);
      border-radius: var(--lb-radius-l);
      overflow-wrap: normal;
    }
    .card h2 {
      margin-bottom: var(--lb-space-3);
    }
    .card h3 {
      font-size: var(--lb-text-l);
    }
  `,
];
