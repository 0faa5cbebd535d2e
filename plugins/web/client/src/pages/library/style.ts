import { css } from "lit";

/** The layout of the page of the library. */
export const libraryStyle = css`
  .page-head {
    margin-bottom: var(--lb-space-3);
  }
  /* A scan that runs or failed is told of beside the count, so that the covers stay where they are. */
  .known {
    display: flex;
    flex-wrap: wrap;
    align-items: baseline;
    gap: 0 var(--lb-space-4);
    --lb-scan-space: 0;
  }
  .known {
    min-height: 1.5rem;
    margin-block-start: var(--lb-space-1);
  }
  .known > lb-scan-progress {
    min-width: min(24rem, 100%);
  }
  .known > .label {
    flex: none;
  }
  .filters {
    display: flex;
    gap: var(--lb-space-2);
    margin: 0 calc(-1 * var(--lb-gutter)) var(--lb-space-5);
    padding: var(--lb-space-1) var(--lb-gutter);
    overflow-x: auto;
    scrollbar-width: none;
  }
  .filters lb-slot {
    display: contents;
  }
  /* As wide as what comes there, so that the others do not move. */
  .filters .awaited {
    flex: none;
    width: 5.25rem;
  }
  .filters a {
    flex: none;
    min-height: 2.25rem;
    border-radius: 999px;
  }
  /* On a phone the menus share one line, which scrolls as that of the filters below it. */
  @media (max-width: 479px) {
    .page-head .row {
      flex-wrap: nowrap;
      max-width: none;
      margin-inline: calc(-1 * var(--lb-gutter));
      padding: var(--lb-space-1) var(--lb-gutter);
      overflow-x: auto;
      scrollbar-width: none;
    }
    .page-head .row > button {
      flex: none;
    }
    .page-head .row > button:not(.round) {
      padding-inline: var(--lb-space-3);
    }
    .page-head .row > button:not(.round) > .icon:first-of-type {
      display: none;
    }
    .page-head .shown {
      white-space: nowrap;
    }
  }
  .filters .n {
    font: 400 var(--lb-text-xs) var(--lb-font-mono);
    color: var(--lb-ink-soft);
  }
`;
