import { standard } from "@longbox/sdk/ui";
import { css } from "lit";

/** What every part of the pages looks like. */
export const style = [
  standard,
  css`
    h2 {
      font-size: var(--lb-text-l);
    }
    h3 {
      font-size: 1.125rem;
    }
    ul {
      display: grid;
      gap: var(--lb-space-3);
    }
    .card {
      display: grid;
      gap: var(--lb-space-2);
    }
    .card.row {
      display: flex;
    }
    form.row {
      align-items: end;
    }
    .soft {
      overflow-wrap: anywhere;
    }
    /* Waits to be filled and read out, without a gap of its own. */
    [role="status"]:empty {
      position: absolute;
    }
    .running {
      display: grid;
      gap: var(--lb-space-3);
      padding: var(--lb-space-3) var(--lb-space-4);
      border-radius: var(--lb-radius-m);
      background: var(--lb-accent-soft);
    }
    .running .soft,
    .running .label {
      color: var(--lb-ink);
    }
  `,
];
