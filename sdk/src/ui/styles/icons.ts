import { css } from "lit";

/** What `icon` makes. */
export const icons = css`
  svg.icon {
    display: inline-block;
    flex: none;
    width: 1.25em;
    height: 1.25em;
    fill: none;
    stroke: currentcolor;
    stroke-width: 1.75;
    stroke-linecap: round;
    stroke-linejoin: round;
    vertical-align: -0.25em;
  }
  svg.icon.mirrored {
    scale: -1 1;
  }
`;
