import { base, buttons } from "@longbox/sdk/ui";
import { css } from "lit";

/** Buttons and links that stand among the actions of a page, big enough for a thumb. */
export const actionStyle = [
  base,
  buttons,
  css`
    :host {
      display: inline-flex;
      flex-wrap: wrap;
      gap: var(--lb-space-2);
      align-items: center;
    }
    button,
    .button {
      min-height: 44px;
    }
    .icon {
      width: 20px;
      height: 20px;
    }
  `,
];
