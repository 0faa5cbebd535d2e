import { css } from "lit";

/** What `VirtualRows`, `CoverWall` and `shelf` make. */
export const walls = css`
  .rows {
    position: relative;
    width: 100%;
    /* What changes in a row is not laid out together with the page. */
    contain: layout style;
  }
  .row-line {
    position: absolute;
    inset: 0 0 auto;
    contain: layout size style;
  }
  .wall-measure {
    display: block;
  }
  .wall-row {
    display: grid;
  }
  .wall.selecting {
    user-select: none;
  }
  .shelf {
    min-width: 0;
  }
  .shelf-head {
    display: flex;
    align-items: center;
    gap: var(--lb-space-3);
    min-height: 2rem;
    margin-bottom: var(--lb-space-2);
  }
  .shelf h2 {
    margin-inline-end: auto;
    font-size: var(--lb-text-l);
  }
  /* At the end of the line on every shelf, with arrows and without. */
  .see-all {
    order: 1;
    font-size: var(--lb-text-s);
    font-weight: 600;
  }
  .arrows {
    display: none;
    gap: var(--lb-space-1);
  }
  .arrows button {
    min-width: 2rem;
    width: 2rem;
    height: 2rem;
    min-height: 2rem;
    padding: 0;
    visibility: hidden;
  }
  .arrows .before .icon {
    transform: scaleX(-1);
  }
  [data-before] .arrows .before,
  [data-after] .arrows .after {
    visibility: visible;
  }
  @media (hover: hover) and (pointer: fine) {
    .arrows {
      display: flex;
    }
  }
  .shelf-row {
    display: grid;
    grid-auto-columns: clamp(7rem, 30vw, 10.5rem);
    grid-auto-flow: column;
    justify-content: start;
    gap: clamp(var(--lb-space-3), 1.4vw, 20px);
    margin: 0 calc(-1 * var(--lb-gutter, 16px));
    padding: 8px var(--lb-gutter, 16px) var(--lb-space-2);
    overflow-x: auto;
    scroll-padding-inline: var(--lb-gutter, 16px);
    scroll-snap-type: x proximity;
    scrollbar-width: thin;
  }
  .shelf-row > * {
    min-width: 0;
    scroll-snap-align: start;
  }
  .shelf.waiting .shelf-row {
    overflow: hidden;
  }
  /* The two lines of a caption. */
  .shelf.waiting .blank {
    margin-bottom: 43px;
  }
  .blank {
    aspect-ratio: 2 / 3;
    border-radius: var(--lb-radius-s);
    background: color-mix(in oklab, var(--lb-line) 55%, transparent);
  }
  .blank.line {
    aspect-ratio: auto;
    height: 1.5rem;
    margin-block: 4px;
  }
`;
