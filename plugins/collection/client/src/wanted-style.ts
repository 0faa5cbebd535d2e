import { base, buttons, fields, headings, notices, pageFrame } from "@longbox/sdk/ui";
import { css } from "lit";

/** Buttons, fields and links of every part of the page. */
export const controls = [
  base,
  buttons,
  fields,
  css`
    a {
      color: inherit;
      text-decoration: none;
    }
    a:hover {
      text-decoration: underline;
      text-decoration-thickness: 1px;
    }
    button[aria-pressed="true"] {
      position: relative;
    }
    label {
      min-height: 2.5rem;
    }
  `,
];

export const wantedStyle = [
  controls,
  headings,
  notices,
  pageFrame,
  css`
    h2 {
      padding: var(--lb-space-3) 0 var(--lb-space-2);
      border-top: 2px solid light-dark(var(--lb-ink), var(--lb-ink-soft));
      overflow-wrap: anywhere;
    }
    section {
      max-width: 72rem;
      margin-bottom: var(--lb-space-6);
    }
    .found {
      display: flex;
      flex-wrap: wrap;
      gap: var(--lb-space-3);
      align-items: center;
      justify-content: space-between;
      max-width: 72rem;
      margin-bottom: var(--lb-space-4);
    }
    li + li {
      border-top: 1px solid var(--lb-line);
    }
    .notice h2 {
      border: 0;
      padding: 0;
    }
    .pager {
      display: flex;
      align-items: center;
      gap: var(--lb-space-4);
    }
  `,
];
