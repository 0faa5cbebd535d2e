import { css } from "lit";

/** The layout of the page of a series. */
export const seriesStyle = css`
  :host {
    position: relative;
    isolation: isolate;
  }
  .top {
    display: grid;
    grid-template-columns: min(clamp(7.5rem, 22vw, 15rem), 40%) minmax(0, 1fr);
    grid-template-rows: auto 1fr;
    gap: var(--lb-space-4) clamp(var(--lb-space-4), 3vw, var(--lb-space-6));
    margin-bottom: var(--lb-space-6);
  }
  .sleeve {
    grid-row: 1 / -1;
  }
  .facts,
  .more {
    display: grid;
    grid-template-columns: minmax(0, 1fr);
    align-content: start;
    gap: var(--lb-space-3);
  }
  .label a {
    color: inherit;
  }
  .actions {
    display: flex;
    flex-wrap: wrap;
    gap: var(--lb-space-2);
    align-items: center;
  }
  lb-slot {
    display: contents;
  }
  .about {
    white-space: pre-line;
  }
  .about.folded {
    display: -webkit-box;
    overflow: hidden;
    -webkit-box-orient: vertical;
    -webkit-line-clamp: 4;
  }
  summary {
    width: fit-content;
    min-height: 2.5rem;
    color: var(--lb-ink-soft);
    line-height: 2.5rem;
    cursor: pointer;
  }
  .path {
    font: var(--lb-text-s) / 1.4 var(--lb-font-mono);
    overflow-wrap: anywhere;
  }
  .bar {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    justify-content: space-between;
    gap: var(--lb-space-3);
    margin-bottom: var(--lb-space-4);
  }
  .gaps {
    margin: calc(-1 * var(--lb-space-2)) 0 var(--lb-space-4);
  }
  @media (max-width: 559px) {
    .top {
      grid-template-columns: min(7rem, 40%) minmax(0, 1fr);
    }
    .sleeve {
      grid-row: 1;
    }
    .more {
      grid-column: 1 / -1;
    }
  }
`;
