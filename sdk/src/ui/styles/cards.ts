import { css } from "lit";

/** What `card` and `badge` make. */
export const cards = css`
  .card-link {
    position: relative;
    display: grid;
    align-content: start;
    min-width: 0;
    border-radius: var(--lb-radius-s);
    color: var(--lb-ink);
    text-decoration: none;
    -webkit-touch-callout: none;
  }
  .card-link:focus-visible {
    outline-offset: 4px;
  }
  .card-cover {
    display: block;
    position: relative;
    margin-bottom: 5px;
    border-radius: var(--lb-radius-s);
    transition:
      transform var(--lb-fast),
      box-shadow var(--lb-fast);
  }
  /* Pulled a little out of the box. */
  @media (hover: hover) {
    .card-link:hover .card-cover {
      transform: translateY(-5px);
      box-shadow: var(--lb-shadow-2);
    }
    .card-link:hover :is(.badges, .chosen) {
      transform: translateY(-5px);
    }
  }
  .card-link:focus-visible :is(.badges, .chosen) {
    transform: translateY(-5px);
  }
  .card-link:focus-visible .card-cover {
    transform: translateY(-5px);
    box-shadow: var(--lb-shadow-2);
  }
  .card-link.selected .card-cover::after {
    content: "";
    position: absolute;
    inset: 0;
    border-radius: inherit;
    background: color-mix(in oklab, var(--lb-accent) 30%, transparent);
    box-shadow: inset 0 0 0 4px var(--lb-accent);
  }
  .chosen {
    position: absolute;
    z-index: 1;
    inset-block-start: 8px;
    inset-inline-start: 8px;
    display: grid;
    place-items: center;
    width: 1.75rem;
    height: 1.75rem;
    border: 2px solid var(--lb-on-accent);
    border-radius: 50%;
    background: var(--lb-accent);
    color: var(--lb-on-accent);
    pointer-events: none;
  }
  .chosen svg {
    width: 1.125rem;
    height: 1.125rem;
  }
  .caption {
    overflow: hidden;
    font: 700 1.0625rem / 1.3125rem var(--lb-font-display);
    white-space: nowrap;
    text-overflow: ellipsis;
    unicode-bidi: plaintext;
  }
  .card-link .note {
    overflow: hidden;
    min-height: 1.0625rem;
    font: 400 var(--lb-text-xs) / 1.0625rem var(--lb-font-mono);
    color: var(--lb-ink-soft);
    white-space: nowrap;
    text-overflow: ellipsis;
  }
  /* Where it is too long, its end is cut off, whatever direction it is of. */
  .card-link .note.named {
    unicode-bidi: plaintext;
  }
  .card-link .bad {
    color: var(--lb-danger);
  }
  /* Over the cover, and after the caption in what is read out. */
  .badges {
    position: absolute;
    z-index: 1;
    inset: 0 0 auto;
    aspect-ratio: 2 / 3;
    transition: transform var(--lb-fast);
    display: flex;
    align-items: start;
    justify-content: end;
    gap: 4px;
    padding: 6px;
    overflow: hidden;
    border-radius: inherit;
    pointer-events: none;
  }
  .badge {
    position: relative;
    display: inline-grid;
    place-items: center;
    min-width: 1.5rem;
    height: 1.5rem;
    border-radius: 999px;
    background: var(--lb-accent);
    color: var(--lb-on-accent);
    box-shadow: 0 1px 3px rgb(0 0 0 / 0.4);
    font: 700 0.75rem / 1 var(--lb-font-mono);
  }
  .badge.count {
    padding: 0 6px;
  }
  .badge.tick {
    background: var(--lb-success);
    color: var(--lb-page);
  }
  .badge.mark {
    background: var(--lb-raised);
    color: var(--lb-ink);
  }
  .badge.bar {
    width: 3rem;
    height: 6px;
    min-width: 0;
    background: linear-gradient(90deg, var(--lb-accent) var(--part, 0%), rgb(0 0 0 / 0.35) var(--part, 0%));
    align-self: center;
  }
  .badge.bar:dir(rtl) {
    background: linear-gradient(270deg, var(--lb-accent) var(--part, 0%), rgb(0 0 0 / 0.35) var(--part, 0%));
  }
  .badges .badge.bar {
    position: absolute;
    inset: auto 0 0;
    width: auto;
    margin: 0;
    border-radius: 0;
    box-shadow: none;
  }
`;
