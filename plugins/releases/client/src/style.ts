import { covers, dialogs, notices, standard } from "@longbox/sdk/ui";
import { css } from "lit";

/** What the parts of the page look like. */
export const style = [
  standard,
  covers,
  dialogs,
  notices,
  css`
    .when {
      font-size: var(--lb-text-l);
    }
    .flipped {
      display: inline-grid;
      transform: scaleX(-1);
    }
    .bar,
    .state {
      margin-bottom: var(--lb-space-3);
    }
    section {
      display: grid;
      gap: var(--lb-space-3);
      margin-top: var(--lb-space-6);
    }
    h3 .label {
      font-weight: 400;
    }
    ul,
    ol {
      list-style: none;
      padding: 0;
      margin: 0;
    }
    .wall {
      display: grid;
      gap: var(--lb-space-5) var(--lb-space-4);
      grid-template-columns: repeat(auto-fill, minmax(min(9.5rem, 42%), 1fr));
    }
    .wall > li {
      display: grid;
      gap: var(--lb-space-1);
      align-content: start;
      min-width: 0;
      overflow-wrap: anywhere;
    }
    .face {
      display: grid;
      gap: var(--lb-space-1);
      color: inherit;
      text-decoration: none;
    }
    .cover-frame {
      display: block;
    }
    .name {
      display: block;
      line-height: 1.3;
    }
    .note {
      color: var(--lb-ink-soft);
      font-size: var(--lb-text-xs);
    }
    .calendar-head,
    .calendar {
      display: grid;
      grid-template-columns: repeat(7, minmax(0, 1fr));
      gap: var(--lb-space-1);
    }
    .calendar-head {
      color: var(--lb-ink-soft);
      font-size: var(--lb-text-xs);
    }
    .calendar > li {
      display: grid;
      gap: var(--lb-space-1);
      align-content: start;
      min-height: 7rem;
      padding: var(--lb-space-2);
      border: 1px solid var(--lb-line);
      border-radius: var(--lb-radius-s);
      background: var(--lb-surface);
      font-size: var(--lb-text-xs);
      overflow-wrap: anywhere;
    }
    .calendar > li:first-child {
      grid-column-start: calc(var(--before, 0) + 1);
    }
    .calendar ul {
      display: grid;
      gap: 2px;
    }
    .calendar .mine {
      border-inline-start: 3px solid var(--lb-accent);
      padding-inline-start: var(--lb-space-1);
      font-weight: 650;
    }
    .date {
      color: var(--lb-ink-soft);
      text-decoration: none;
    }
    .long {
      display: none;
    }
    @media (max-width: 720px) {
      .calendar-head,
      .calendar > li.empty,
      .number {
        display: none;
      }
      .calendar {
        grid-template-columns: minmax(0, 1fr);
      }
      .calendar > li:first-child {
        grid-column-start: auto;
      }
      .calendar > li {
        min-height: 0;
        font-size: inherit;
      }
      .long {
        display: inline;
      }
    }
  `,
];
