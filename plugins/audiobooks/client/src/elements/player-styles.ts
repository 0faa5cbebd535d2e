import { css } from "lit";

/** What the bar and the page have in common. */
export const playerStyles = css`
  /* The kit's own rules for fields are more specific than one class. */
  .slider.slider[type="range"] {
    height: 1rem;
    min-height: 0;
    margin: 0;
    padding: 0;
    border: 0;
    background: none;
    accent-color: var(--lb-accent);
    cursor: pointer;
  }
  .time {
    font-variant-numeric: tabular-nums;
    font-size: var(--lb-text-s);
    white-space: nowrap;
  }
  button .icon {
    font-size: 1.25rem;
  }
  .play {
    --lb-control: 3rem;
  }
`;
