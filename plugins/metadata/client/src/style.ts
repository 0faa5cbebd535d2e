import { standard } from "@longbox/sdk/ui";
import { css } from "lit";

/** The styles of the metadata elements. */
export const style = [
  standard,
  css`
    h2 {
      font-size: var(--lb-text-l);
    }
    h3 {
      font-size: var(--lb-text-m);
      line-height: 1.1;
    }
    .soft {
      overflow-wrap: anywhere;
    }
    form {
      display: flex;
      flex-wrap: wrap;
      align-items: end;
      gap: var(--lb-space-2);
    }
    .field {
      flex: 1 1 16rem;
    }
    form button,
    .choose {
      min-height: 2.75rem;
    }
  `,
];
