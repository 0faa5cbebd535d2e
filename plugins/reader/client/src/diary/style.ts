import { css } from "lit";

export const style = css`
  :host {
    position: relative;
  }
  .marked {
    margin-top: var(--lb-space-7);
  }
  .pages {
    display: grid;
    grid-template-columns: repeat(auto-fill, minmax(112px, 1fr));
    gap: var(--lb-space-5) var(--lb-space-4);
    margin: 0;
    padding: 0;
    list-style: none;
  }
  .pages li {
    position: relative;
    min-width: 0;
  }
  .pages a {
    display: block;
    color: inherit;
    text-decoration: none;
    border-radius: var(--lb-radius-s);
  }
  .pages img {
    display: block;
    width: 100%;
    aspect-ratio: 2 / 3;
    object-fit: cover;
    border-radius: var(--lb-radius-s);
    background: var(--lb-line);
    box-shadow: var(--lb-shadow-1);
  }
  .title,
  .note {
    display: block;
    overflow: hidden;
    white-space: nowrap;
    text-overflow: ellipsis;
  }
  .title {
    margin-top: var(--lb-space-2);
    font: 700 1.0625rem / 1.2 var(--lb-font-display);
  }
  .note {
    font: 400 var(--lb-text-xs) / 1.4 var(--lb-font-mono);
    color: var(--lb-ink-soft);
  }
  .icon-only {
    position: absolute;
    top: var(--lb-space-1);
    inset-inline-end: var(--lb-space-1);
    display: grid;
    place-items: center;
    min-width: 0;
    width: 40px;
    height: 40px;
    padding: 0;
    border: 0;
    border-radius: 50%;
    background: color-mix(in oklab, var(--lb-surface) 88%, transparent);
    color: var(--lb-ink);
    cursor: pointer;
  }
  .icon-only .icon {
    width: 18px;
    height: 18px;
  }
  @media (hover: hover) and (pointer: fine) {
    .icon-only:not(:focus-visible) {
      opacity: 0;
    }
    li:hover .icon-only,
    li:focus-within .icon-only {
      opacity: 1;
    }
  }
`;
