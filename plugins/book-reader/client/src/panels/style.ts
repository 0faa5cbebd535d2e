import { css } from "lit";

const colors = css`
  [data-color="yellow"] {
    --color: #f2c400;
  }
  [data-color="green"] {
    --color: #4caf50;
  }
  [data-color="blue"] {
    --color: #3b8fe0;
  }
  [data-color="pink"] {
    --color: #e5588f;
  }
  [data-color="orange"] {
    --color: #f07c1c;
  }
  button.color {
    flex: none;
    width: 32px;
    min-width: 32px;
    height: 32px;
    min-height: 32px;
    padding: 0;
    border: 2px solid var(--lb-line);
    border-radius: 50%;
    background: var(--color);
  }
  button.color[aria-pressed="true"] {
    border-color: var(--lb-ink);
    background: var(--color);
  }
`;

const panel = css`
  dialog.side {
    background: var(--lb-raised);
  }
  dialog.side::backdrop {
    background: #0002;
  }
  .chapters,
  .findings,
  .notes {
    margin: 0;
    padding: 0;
    list-style: none;
  }
  .listened {
    width: 100%;
    height: auto;
    min-height: 44px;
    margin-bottom: var(--lb-space-3);
    white-space: normal;
  }
  .chapters .chapters {
    padding-inline-start: var(--lb-space-4);
  }
  .chapters button,
  .findings button,
  .quote {
    display: block;
    width: 100%;
    min-height: 44px;
    padding: var(--lb-space-2);
    border: 0;
    background: none;
    font: inherit;
    font-weight: 400;
    text-align: start;
    white-space: normal;
    overflow-wrap: anywhere;
  }
  .quote .soft {
    white-space: nowrap;
  }
  .chapters [aria-current="location"] {
    font-weight: 700;
    color: var(--lb-accent);
  }
  mark {
    background: var(--lb-accent-soft);
    color: inherit;
    font-weight: 700;
  }
  .note {
    padding-block: var(--lb-space-2);
    padding-inline-start: var(--lb-space-3);
    border-inline-start: 4px solid var(--color, var(--lb-line));
    margin-bottom: var(--lb-space-4);
  }
  .look label:not(.field, .switch, [data-theme]) {
    display: flex;
    justify-content: space-between;
  }
  .look select {
    width: 60%;
  }
  .look .field {
    gap: 0;
  }
  input[type="range"] {
    padding: 0;
    border: 0;
    accent-color: var(--lb-accent);
  }
  .themes {
    display: grid;
    grid-template-columns: repeat(4, minmax(0, 1fr));
    gap: var(--lb-space-2);
    margin: 0;
    padding: 0;
    border: 0;
  }
  .themes legend {
    padding: 0 0 var(--lb-space-1);
    font-weight: 600;
    font-size: var(--lb-text-s);
  }
  .themes label {
    justify-content: center;
    min-height: 48px;
    border: 2px solid var(--lb-line);
    border-radius: var(--lb-radius-m);
    cursor: pointer;
  }
  .themes label:has(:checked) {
    border-color: var(--lb-accent);
  }
  .themes label:has(:focus-visible) {
    outline: 2px solid var(--lb-accent);
    outline-offset: 2px;
  }
  .themes input {
    position: absolute;
    opacity: 0;
  }
  [data-theme="paper"] {
    background: #fdfcf8;
    color: #1f1c17;
  }
  [data-theme="sepia"] {
    background: #f3e7d0;
    color: #43311c;
  }
  [data-theme="dark"] {
    background: #1d1f21;
    color: #d4d2cc;
  }
  [data-theme="black"] {
    background: #000000;
    color: #b9b7b1;
  }
  /* The text stays in sight while its appearance is chosen. */
  dialog.look::backdrop {
    background: none;
  }
  @media (max-width: 600px) {
    dialog.look {
      inset: auto 0 0;
      width: 100vw;
      height: auto;
      max-height: 55dvh;
      padding-top: var(--lb-space-2);
      border: 0;
      border-top: 1px solid var(--lb-line);
      border-radius: var(--lb-radius-l) var(--lb-radius-l) 0 0;
      box-shadow: var(--lb-shadow-2);
    }
  }
  .keys {
    display: grid;
    grid-template-columns: auto 1fr;
    gap: var(--lb-space-2) var(--lb-space-4);
    margin: 0 0 var(--lb-space-4);
  }
  .keys dt {
    font-weight: 700;
  }
  .keys dd {
    margin: 0;
  }
`;

/** The panels, and the colours of highlights. */
export const panelStyle = [colors, panel];
