import { css } from "lit";

/** The page of one plugin: its text beside what is known about it. */
export const pluginStyle = css`
  .lead {
    max-width: 60ch;
    margin-bottom: var(--lb-space-4);
  }
  .reason {
    margin-bottom: var(--lb-space-4);
    padding-inline-start: var(--lb-space-3);
    border-inline-start: 3px solid var(--lb-warning);
    overflow-wrap: anywhere;
  }
  .beside {
    display: grid;
    grid-template-columns: minmax(0, 46rem) minmax(16rem, 22rem);
    gap: var(--lb-space-6);
    align-items: start;
  }
  .text,
  aside {
    display: grid;
    gap: var(--lb-space-4);
    min-width: 0;
  }
  /* Names of packages are written as they are. */
  .label bdi {
    text-transform: none;
  }
  .text ul,
  .text ol {
    padding-inline-start: var(--lb-space-5);
    list-style: revert;
  }
  .text li {
    margin-block: var(--lb-space-1);
  }
  .text h3 {
    margin-top: var(--lb-space-5);
    margin-bottom: var(--lb-space-2);
    font-size: var(--lb-text-l);
  }
  .text p:not(:last-child),
  .text ul:not(:last-child) {
    margin-bottom: var(--lb-space-3);
  }
  .text :is(h2, h3, h4, p, li) {
    overflow-wrap: anywhere;
  }
  details > :not(summary) {
    margin-block: var(--lb-space-3);
  }
  summary {
    cursor: pointer;
  }
  pre,
  .wide {
    overflow-x: auto;
  }
  pre {
    padding: var(--lb-space-3);
    border: 1px solid var(--lb-line);
    border-radius: var(--lb-radius-s);
    background: var(--lb-surface);
  }
  pre,
  code {
    font: var(--lb-text-s) / 1.5 var(--lb-font-mono);
  }
  code {
    overflow-wrap: anywhere;
  }
  th,
  td {
    padding-block: var(--lb-space-2);
    padding-inline: 0 var(--lb-space-3);
    border-bottom: 1px solid var(--lb-line);
    text-align: start;
    vertical-align: top;
  }
  .card {
    display: grid;
    gap: var(--lb-space-3);
    padding: var(--lb-space-4);
  }
  .card h2 {
    margin: 0;
    font-size: var(--lb-text-l);
  }
  .card ul {
    display: grid;
    gap: var(--lb-space-2);
  }
  dt:not(:first-child) {
    margin-top: var(--lb-space-2);
  }
  /* A column is as wide as its longest word: a table that is wider than the page scrolls. */
  .wide code {
    overflow-wrap: normal;
  }
  .wide:not(:last-child) {
    margin-bottom: var(--lb-space-3);
  }
  dd {
    margin: 0;
    overflow-wrap: anywhere;
  }
  /* In a narrow place each row is a block of its own, whose cells are named. */
  @media (max-width: 43.99rem) {
    .wide thead {
      position: absolute;
      clip-path: inset(50%);
    }
    .wide :is(table, tbody, tr, td) {
      display: block;
    }
    .wide tr {
      padding-block: var(--lb-space-2);
      border-bottom: 1px solid var(--lb-line);
    }
    .wide td {
      padding: var(--lb-space-1) 0;
      border: 0;
    }
    .wide :is(td, td code) {
      overflow-wrap: anywhere;
    }
    .wide td:empty {
      display: none;
    }
    .wide td:nth-child(n + 3)::before {
      content: attr(data-column) ": ";
      color: var(--lb-ink-soft);
    }
  }
  @media (min-width: 960px) {
    aside {
      grid-row: 1;
      grid-column: 2;
    }
  }
  @media (max-width: 959px) {
    .beside {
      grid-template-columns: minmax(0, 1fr);
    }
  }
`;
