import { css } from "lit";
import { icons } from "./icons.js";
import { notices } from "./notices.js";

/**
 * What every element starts from: colours, icons, no margins, the ring of the keyboard; `.soft`, `.label`, `.problem`,
 * `.hidden`.
 */
export const base = css`
  ${notices}
  :host {
    box-sizing: border-box;
    color: var(--lb-ink);
    font-family: var(--lb-font-text);
    overflow-wrap: break-word;
  }
  :host([hidden]) {
    display: none !important;
  }
  *,
  *::before,
  *::after {
    box-sizing: border-box;
  }
  h1,
  h2,
  h3,
  p,
  ul,
  ol,
  dl,
  dd,
  figure,
  fieldset {
    margin: 0;
    padding: 0;
    border: 0;
  }
  ul,
  ol {
    list-style: none;
  }
  a {
    color: var(--lb-accent);
    text-decoration-thickness: 1px;
    text-underline-offset: 0.2em;
  }
  :focus-visible {
    outline: var(--lb-focus);
    outline-offset: 2px;
  }
  img,
  svg {
    display: block;
    max-width: 100%;
  }
  /* For screen readers alone. */
  .hidden {
    position: absolute;
    width: 1px;
    height: 1px;
    margin: -1px;
    overflow: hidden;
    clip-path: inset(50%);
    white-space: nowrap;
  }
  .soft {
    color: var(--lb-ink-soft);
  }
  /* Small capitals of a typewriter. */
  .label {
    font-family: var(--lb-font-mono);
    font-size: var(--lb-text-xs);
    letter-spacing: calc(0.04em * var(--lb-tracking, 1));
    text-transform: uppercase;
    color: var(--lb-ink-soft);
  }
  .problem {
    color: var(--lb-danger);
    overflow-wrap: anywhere;
  }
  ${icons}
`;
