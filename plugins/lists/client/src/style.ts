import { dialogs, notices, pageFrame, standard } from "@longbox/sdk/ui";
import { css } from "lit";

/** The styles that all elements of the lists share. */
export const style = [
  standard,
  css`
    h1,
    h2,
    h3,
    .soft {
      overflow-wrap: anywhere;
    }
    .facts {
      color: var(--lb-ink-soft);
      font-family: var(--lb-font-mono);
      font-size: var(--lb-text-xs);
      line-height: 1.5;
    }
    .facts a {
      color: inherit;
    }
    button,
    .button {
      min-height: 2.75rem;
    }
    form {
      display: flex;
      flex-wrap: wrap;
      gap: var(--lb-space-2);
      align-items: end;
    }
    .field {
      flex: 1 1 14rem;
    }
  `,
];

export const pageStyle = [
  style,
  pageFrame,
  notices,
  css`
    .page {
      display: grid;
      gap: var(--lb-space-5);
      max-width: 72rem;
    }
  `,
];

export const dialogStyle = [style, dialogs];

/** Separated rows in a scrolling container. */
export const rowStyle = css`
  .rows {
    max-height: 24rem;
    overflow-y: auto;
    border-block: 1px solid var(--lb-line);
  }
  .rows li {
    display: flex;
    gap: var(--lb-space-3);
    align-items: center;
    justify-content: space-between;
    padding: var(--lb-space-2) var(--lb-space-1);
  }
  .rows li + li {
    border-top: 1px solid var(--lb-line);
  }
  .what {
    display: grid;
    min-width: 0;
    overflow-wrap: anywhere;
  }
  .rows button,
  .state {
    flex: none;
  }
`;
