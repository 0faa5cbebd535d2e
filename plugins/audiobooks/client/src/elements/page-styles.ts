import { css } from "lit";

/** The page of a book: its cover and controls, and beneath them chapters and bookmarks. */
export const pageStyles = css`
  :host {
    display: block;
    max-width: 72rem;
  }
  .book {
    display: grid;
    grid-template-columns: minmax(10rem, 20rem) minmax(0, 1fr);
    gap: var(--lb-space-6);
    align-items: start;
  }
  .cover {
    width: 100%;
    border-radius: var(--lb-radius-m);
    box-shadow: var(--lb-shadow-2);
  }
  .panel {
    display: grid;
    gap: var(--lb-space-5);
    min-width: 0;
  }
  h1 {
    font-size: clamp(1.5rem, 1rem + 2vw, 2.5rem);
  }
  .by {
    margin: var(--lb-space-1) 0;
    font-size: var(--lb-text-l);
  }
  .player {
    display: grid;
    gap: var(--lb-space-2);
    padding: var(--lb-space-5);
    border: 1px solid var(--lb-line);
    border-radius: var(--lb-radius-l);
    background: var(--lb-surface);
  }
  .now {
    display: flex;
    align-items: baseline;
    justify-content: space-between;
    gap: var(--lb-space-3);
    margin: 0;
    font-weight: 600;
  }
  .now .title {
    min-width: 0;
    overflow: hidden;
    text-overflow: ellipsis;
    white-space: nowrap;
  }
  .whole {
    display: grid;
    gap: var(--lb-space-1);
    margin-top: var(--lb-space-2);
    padding-top: var(--lb-space-4);
    border-top: 1px solid var(--lb-line);
  }
  .buttons,
  .choices {
    justify-content: center;
  }
  .choices {
    gap: var(--lb-space-2) var(--lb-space-4);
  }
  form .field {
    flex: 1 1 12rem;
  }
  .further {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: var(--lb-space-3);
    padding: var(--lb-space-3) var(--lb-space-4);
    border-radius: var(--lb-radius-m);
    background: var(--lb-accent-soft);
  }
  .lists {
    display: grid;
    grid-template-columns: minmax(0, 3fr) minmax(0, 2fr);
    gap: var(--lb-space-6);
    margin-top: var(--lb-space-6);
  }
  .lists h2 {
    margin-bottom: var(--lb-space-3);
  }
  form {
    align-items: end;
    margin-bottom: var(--lb-space-4);
  }
  @media (max-width: 719px) {
    .book,
    .lists {
      grid-template-columns: minmax(0, 1fr);
      gap: var(--lb-space-5);
    }
    .cover {
      width: min(12rem, 50vw);
      margin-inline: auto;
    }
    .player {
      padding: var(--lb-space-4);
    }
  }
  /* As in the link beside it. */
  .save .icon {
    font-size: 1rem;
  }
`;
