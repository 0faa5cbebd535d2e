import { css } from "lit";

/** What `openMenu` makes: beside its button, on phones at the foot of the window. */
export const menus = css`
  .menu {
    position: fixed;
    inset: auto;
    margin: 0;
    min-width: 12rem;
    max-width: min(22rem, calc(100vw - 16px));
    max-height: min(70dvh, 32rem);
    padding: var(--lb-space-1);
    overflow-y: auto;
    border: 1px solid var(--lb-line);
    border-radius: var(--lb-radius-m);
    background: var(--lb-raised);
    color: var(--lb-ink);
    box-shadow: var(--lb-shadow-2);
  }
  .menu button {
    display: flex;
    align-items: center;
    gap: var(--lb-space-3);
    width: 100%;
    min-height: var(--lb-control, 2.5rem);
    padding: 0 var(--lb-space-3);
    border: 0;
    border-radius: var(--lb-radius-s);
    background: none;
    color: inherit;
    font: 500 var(--lb-text-s) / 1.3 var(--lb-font-text);
    text-align: start;
    cursor: pointer;
  }
  .menu button:hover,
  .menu button:focus-visible {
    background: var(--lb-accent-soft);
  }
  .menu button:focus-visible {
    outline-offset: -2px;
  }
  .menu button[disabled] {
    opacity: 0.5;
    cursor: default;
  }
  .menu .danger {
    color: var(--lb-danger);
  }
  .menu .tick {
    flex: none;
    width: 1.25em;
    color: var(--lb-accent);
  }
  .menu hr {
    margin: var(--lb-space-1) 0;
    border: 0;
    border-top: 1px solid var(--lb-line);
  }
  @media (width < 35rem) {
    .menu:popover-open {
      inset: auto 0 0 !important;
      width: 100vw;
      max-width: none;
      padding: var(--lb-space-3);
      padding-bottom: max(var(--lb-space-3), env(safe-area-inset-bottom));
      border-width: 2px 0 0;
      border-radius: var(--lb-radius-l) var(--lb-radius-l) 0 0;
    }
    .menu::backdrop {
      background: light-dark(rgb(40 33 20 / 0.4), rgb(4 5 10 / 0.6));
    }
    .menu button {
      min-height: 3rem;
      font-size: 1rem;
    }
  }
`;
