import { css } from "lit";

/** What `VirtualRows`, `CoverWall` and `shelf` make. */
export const walls = css`
  .rows {
    position: relative;
    width: 100%;
  }
  .row-line {
    position: absolute;
    inset: 0 0 auto;
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
  .shelf h2 {
    margin-bottom: var(--lb-space-2);
    font-size: var(--lb-text-l);
  }
  .shelf h2 a {
    display: inline-flex;
    align-items: center;
    gap: var(--lb-space-1);
    color: inherit;
    text-decoration: none;
  }
  .shelf h2 .icon {
    width: 0.7em;
    color: var(--lb-ink-soft);
    transition: transform var(--lb-fast);
  }
  .shelf h2 a:hover .icon {
    transform: translateX(4px);
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
`;
