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
  .skip .icon {
    width: 1.75rem;
    height: 1.75rem;
  }
  .play {
    --lb-control: 3rem;
    position: relative;
  }
  .play[aria-busy="true"]::after {
    position: absolute;
    inset: -5px;
    border: 2.5px solid transparent;
    border-top-color: var(--lb-accent);
    border-radius: 999px;
    content: "";
    /* What is there at once needs no sign. */
    opacity: 0;
    animation:
      turn 1s linear infinite,
      show 0s 300ms forwards;
  }
  @keyframes turn {
    to {
      transform: rotate(1turn);
    }
  }
  @keyframes show {
    to {
      opacity: 1;
    }
  }
  .volume {
    gap: var(--lb-space-2);
  }
  .volume .slider {
    width: 6rem;
  }
  @media (max-width: 719px) {
    .volume {
      display: none;
    }
  }
  @media (pointer: coarse) {
    .volume {
      display: none;
    }
    .slider.slider[type="range"] {
      height: 1.5rem;
    }
  }
`;
