import { css } from "lit";

/** What `cover` makes. */
export const covers = css`
  .cover {
    display: block;
    position: relative;
    aspect-ratio: 2 / 3;
    overflow: hidden;
    border-radius: var(--lb-radius-s);
    background: var(--lb-line);
    box-shadow: var(--lb-shadow-1);
  }
  /* The fold of the spine, and the edge of the paper. */
  .cover::after {
    content: "";
    position: absolute;
    inset: 0;
    border-radius: inherit;
    pointer-events: none;
    background: linear-gradient(90deg, rgb(0 0 0 / 0.16), rgb(255 255 255 / 0.16) 1.5%, transparent 4%);
    box-shadow: inset 0 0 0 1px rgb(0 0 0 / 0.12);
  }
  .cover img {
    position: absolute;
    inset: 0;
    width: 100%;
    height: 100%;
    object-fit: cover;
  }
  .cover[data-square] img {
    object-fit: contain;
  }
  .cover[data-square] .sleeve > * {
    visibility: hidden;
  }
  /* Not display: none, with which a lazy image would never be loaded again. */
  .cover[data-failed] img {
    visibility: hidden;
  }
  .cover.missing img {
    filter: grayscale(1);
    opacity: 0.45;
  }
  .cover.blurred img {
    filter: blur(18px) saturate(0.6);
    transform: scale(1.2);
  }
  .cover .locked {
    position: absolute;
    inset: 0;
    display: grid;
    place-content: center;
    color: #fff;
    font-size: 1.5rem;
    filter: drop-shadow(0 1px 3px rgb(0 0 0 / 0.6));
  }
  .cover .sleeve {
    display: grid;
    grid-template-rows: auto 1fr auto;
    width: 100%;
    height: 100%;
    padding: 9% 9% 8%;
    border-top: 0.5rem solid var(--band);
    background: color-mix(in oklab, var(--band) 14%, var(--lb-raised));
    color: var(--lb-ink);
    container-type: inline-size;
  }
  /* While the picture is on its way the sleeve is plain. */
  .cover:not(.bare, [data-failed]) .sleeve > * {
    visibility: hidden;
  }
  .cover .sleeve strong {
    display: -webkit-box;
    overflow: hidden;
    font: 700 clamp(0.7rem, 13cqw, 2rem) / 1.05 var(--lb-font-display);
    -webkit-box-orient: vertical;
    -webkit-line-clamp: 5;
    overflow-wrap: anywhere;
  }
  .cover .sleeve span {
    grid-row: 3;
    font: 600 clamp(0.7rem, 9cqw, 1.25rem) / 1 var(--lb-font-mono);
  }
  .ink-0 {
    --band: #2a3cc9;
  }
  .ink-1 {
    --band: #c2412b;
  }
  .ink-2 {
    --band: #1b7a5a;
  }
  .ink-3 {
    --band: #d09a12;
  }
  .ink-4 {
    --band: #8a3fa0;
  }
  .ink-5 {
    --band: #1f7fa6;
  }
`;
