import { css } from "lit";

export const readerStyle = css`
  :host {
    display: block;
    position: fixed;
    inset: 0;
    z-index: 10;
    overflow: hidden;
    background: light-dark(#dcdad5, #17181c);
    color: var(--lb-ink);
    font: 400 var(--lb-text-m) / 1.5 var(--lb-font-text);
  }
  :host([stage="paper"]) {
    color-scheme: light;
  }
  :host([stage="dark"]) {
    color-scheme: dark;
  }
  :host([stage="black"]) {
    color-scheme: dark;
    background: #000;
  }
  .stage {
    position: absolute;
    inset: 0;
  }
  .bar {
    position: absolute;
    left: 0;
    right: 0;
    display: flex;
    align-items: center;
    gap: var(--lb-space-1);
    padding: var(--lb-space-2) max(var(--lb-space-3), env(safe-area-inset-left));
    background: color-mix(in oklab, var(--lb-surface) 92%, transparent);
    backdrop-filter: blur(8px);
    transition:
      opacity var(--lb-fast),
      transform var(--lb-fast);
  }
  .top {
    top: 0;
    padding-top: max(var(--lb-space-2), env(safe-area-inset-top));
    border-bottom: 1px solid var(--lb-line);
  }
  .bottom {
    bottom: 0;
    padding-bottom: max(var(--lb-space-2), env(safe-area-inset-bottom));
    border-top: 1px solid var(--lb-line);
  }
  .quiet:not(:focus-within) {
    opacity: 0;
    pointer-events: none;
  }
  .top.quiet:not(:focus-within) {
    transform: translateY(-30%);
  }
  .bottom.quiet:not(:focus-within) {
    transform: translateY(30%);
  }
  h1 {
    flex: 1;
    min-width: 0;
    overflow: hidden;
    margin: 0 var(--lb-space-2);
    font: 700 var(--lb-text-l) / 1.2 var(--lb-font-display);
    white-space: nowrap;
    text-overflow: ellipsis;
  }
  h1 small {
    margin-inline-start: var(--lb-space-2);
    font: 400 var(--lb-text-s) / 1.2 var(--lb-font-text);
    color: var(--lb-ink-soft);
  }
  .count {
    /* In a grid, what only screen readers hear would take a row. */
    display: inline-block;
    min-width: 5.5em;
    text-align: center;
    font: 600 var(--lb-text-s) / 1 var(--lb-font-mono);
    font-variant-numeric: tabular-nums;
  }
  longbox-scrubber {
    flex: 1;
    min-width: 0;
  }
  longbox-view-panel {
    position: absolute;
    z-index: 2;
    inset-inline-end: max(var(--lb-space-3), env(safe-area-inset-right));
    top: calc(64px + env(safe-area-inset-top));
  }
  .thread {
    /* That of the comic is its class. */
    direction: ltr;
    position: absolute;
    left: 0;
    bottom: 0;
    width: 100%;
    height: 3px;
    appearance: none;
    border: 0;
    background: transparent;
    pointer-events: none;
  }
  .thread::-webkit-progress-bar {
    background: transparent;
  }
  .thread::-webkit-progress-value {
    background: var(--lb-accent);
  }
  .thread::-moz-progress-bar {
    background: var(--lb-accent);
  }
  .thread.rtl {
    transform: scaleX(-1);
  }
  .message {
    position: absolute;
    inset: 0;
    display: grid;
    place-content: center;
    justify-items: center;
    gap: var(--lb-space-4);
    padding: var(--lb-space-5);
    text-align: center;
  }
  .message[role="status"] h1 {
    font-size: var(--lb-text-m);
  }
  .message p {
    max-width: 32rem;
    margin: 0;
  }
  .hint {
    position: absolute;
    z-index: 3;
    left: 50%;
    bottom: calc(5.5rem + env(safe-area-inset-bottom));
    max-width: calc(100vw - 2rem);
    translate: -50% 0;
    text-align: center;
    pointer-events: none;
  }
  .hint span {
    display: inline-block;
    padding: var(--lb-space-2) var(--lb-space-4);
    border-radius: var(--lb-radius-l);
    background: rgb(20 20 24 / 0.86);
    color: #fff;
  }
  .private {
    padding: 2px var(--lb-space-2);
    border-radius: var(--lb-radius-s);
    background: var(--lb-ink);
    color: var(--lb-surface);
    font: 700 var(--lb-text-s) / 1.4 var(--lb-font-text);
  }
  .heard {
    position: absolute;
    width: 1px;
    height: 1px;
    overflow: hidden;
    clip-path: inset(50%);
    white-space: nowrap;
  }
  @media (max-width: 40rem) {
    .wide-only {
      display: none;
    }
    .bar {
      gap: 0;
      padding-left: var(--lb-space-1);
      padding-right: var(--lb-space-1);
    }
    h1 {
      font-size: var(--lb-text-m);
    }
    h1 small {
      display: none;
    }
  }
  @media (prefers-reduced-motion: reduce) {
    .bar {
      transition: none;
    }
  }
`;
