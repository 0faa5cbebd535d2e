import { covers, notices, pageFrame, standard } from "@longbox/sdk/ui";
import { css } from "lit";

export const drawingStyle = css`
  .sketch {
    flex: none;
    width: 1.25em;
    height: 1.25em;
    fill: none;
    stroke: currentcolor;
    stroke-width: 1.75;
    stroke-linecap: round;
    stroke-linejoin: round;
  }
`;

const sections = css`
  section {
    display: grid;
    grid-template-columns: minmax(0, 1fr);
    gap: var(--lb-space-3);
    align-content: start;
    min-width: 0;
    margin-top: var(--lb-space-6);
  }
  .page-head + section {
    margin-top: 0;
  }
  ul,
  ol {
    list-style: none;
    padding: 0;
    margin: 0;
  }
  .panels {
    display: grid;
    grid-template-columns: repeat(auto-fit, minmax(min(100%, 19rem), 1fr));
    gap: var(--lb-space-5) var(--lb-space-6);
    margin-top: var(--lb-space-6);
  }
  .panel {
    margin: 0;
    padding-top: var(--lb-space-3);
    border-top: 2px solid light-dark(var(--lb-ink), var(--lb-ink-soft));
  }
  .tokens {
    display: inline-flex;
    align-items: center;
    gap: var(--lb-space-1);
    color: var(--lb-warning);
    font-weight: 650;
  }
`;

const quests = css`
  .quests {
    display: grid;
    grid-template-columns: repeat(auto-fit, minmax(min(100%, 20rem), 1fr));
    gap: var(--lb-space-4);
  }
  .quest {
    display: grid;
    grid-template-columns: 5.5rem minmax(0, 1fr);
    gap: var(--lb-space-4);
    padding: var(--lb-space-4);
    border: 1px solid var(--lb-line);
    border-radius: var(--lb-radius-m);
    background: var(--lb-surface);
  }
  .quest.done {
    border-color: var(--lb-success);
  }
  .quest h3 a {
    color: inherit;
    text-decoration-color: var(--lb-accent);
    text-underline-offset: 0.15em;
  }
  .picture {
    display: grid;
    align-content: start;
  }
  .emblem {
    display: grid;
    place-items: center;
    aspect-ratio: 2 / 3;
    border-radius: var(--lb-radius-s);
    background: var(--lb-accent-soft);
    color: var(--lb-accent);
  }
  .emblem .sketch {
    width: 2.5rem;
    height: 2.5rem;
    stroke-width: 1.5;
  }
  .about {
    display: grid;
    grid-template-rows: auto 1fr auto auto;
    gap: var(--lb-space-2);
    min-width: 0;
    overflow-wrap: anywhere;
  }
  .foot {
    min-height: 2rem;
  }
  .stamp {
    display: inline-flex;
    align-items: center;
    gap: var(--lb-space-1);
    justify-self: start;
    padding: 2px var(--lb-space-3);
    border: 2px solid currentcolor;
    border-radius: var(--lb-radius-s);
    color: var(--lb-success);
    font: 700 var(--lb-text-s) / 1.5 var(--lb-font-display);
    letter-spacing: calc(0.04em * var(--lb-tracking, 1));
    text-transform: uppercase;
    transform: rotate(-2deg);
  }
`;

const streak = css`
  .fortnight {
    display: grid;
    grid-template-columns: repeat(14, minmax(0, 1fr));
    gap: 3px;
  }
  .fortnight li {
    display: grid;
    gap: 2px;
    justify-items: center;
    color: var(--lb-ink-soft);
    font-size: var(--lb-text-xs);
  }
  .fortnight i {
    display: grid;
    place-items: center;
    width: 100%;
    height: 2rem;
    border: 1px solid var(--lb-line);
    border-radius: var(--lb-radius-s);
  }
  .fortnight .read i {
    border-color: var(--lb-accent);
    background: var(--lb-accent);
  }
  .fortnight .frozen i {
    border-color: var(--lb-accent);
    color: var(--lb-accent);
    font-size: 0.75rem;
  }
  .fortnight .open i {
    border-style: dashed;
    border-color: var(--lb-ink-soft);
  }
  .freezes {
    display: flex;
    gap: var(--lb-space-2);
    color: var(--lb-ink-soft);
    font-size: var(--lb-text-s);
  }
`;

const medals = css`
  .medals {
    display: grid;
    grid-template-columns: repeat(auto-fill, minmax(min(8.5rem, 30%), 1fr));
    gap: var(--lb-space-5) var(--lb-space-3);
  }
  .medals li {
    display: grid;
    justify-items: center;
    align-content: start;
    gap: var(--lb-space-1);
    min-width: 0;
    text-align: center;
    font-size: var(--lb-text-s);
  }
  .medals h3 {
    font-size: var(--lb-text-m);
  }
  .medal {
    width: 4.5rem;
    height: 4.5rem;
    fill: none;
    stroke: var(--lb-ink-soft);
    stroke-width: 1.5;
    stroke-linecap: round;
    stroke-linejoin: round;
  }
  .medal .edge,
  .medal .face {
    stroke: var(--lb-line);
  }
  .medal.earned {
    stroke: var(--lb-warning);
  }
  .medal.earned .edge {
    fill: var(--lb-warning);
    stroke: none;
  }
  .medal.earned .face {
    fill: var(--lb-surface);
    stroke: none;
  }
`;

const phones = css`
  @media (max-width: 30rem) {
    .medals .soft {
      font-size: var(--lb-text-xs);
    }
    .medals h3 {
      font-size: var(--lb-text-s);
    }
    .medal {
      width: 3.75rem;
      height: 3.75rem;
    }
  }
`;

export const style = [standard, covers, notices, pageFrame, drawingStyle, sections, quests, streak, medals, phones];
