import { css } from "lit";

/** Fields with their labels, hints and problems. */
export const forms = css`
  form,
  .stack {
    display: grid;
    gap: var(--lb-space-4);
    align-content: start;
  }
  .field {
    display: grid;
    gap: var(--lb-space-1);
    min-width: 0;
  }
  .field > label,
  .field > .field-label {
    font-weight: 600;
    font-size: var(--lb-text-s);
  }
  input:not([type="checkbox"], [type="radio"]),
  select,
  textarea {
    width: 100%;
    min-height: 2.75rem;
    padding: var(--lb-space-2) var(--lb-space-3);
    border: 1.5px solid color-mix(in oklab, var(--lb-ink-soft) 70%, var(--lb-line));
    border-radius: var(--lb-radius-m);
    background: var(--lb-raised);
    color: var(--lb-ink);
    /* Not below 16px: phones zoom into smaller fields. */
    font: 1rem / 1.3 var(--lb-font-text);
  }
  textarea {
    min-height: 6rem;
    resize: vertical;
  }
  input::placeholder {
    color: var(--lb-ink-soft);
    opacity: 1;
  }
  input[aria-invalid="true"] {
    border-color: var(--lb-danger);
  }
  input[type="checkbox"],
  input[type="radio"] {
    width: 1.125rem;
    height: 1.125rem;
    margin: 0;
    flex: none;
  }
  .check {
    display: flex;
    align-items: start;
    gap: var(--lb-space-2);
  }
  .check input {
    margin-top: 0.2em;
  }
  .hint {
    font-size: var(--lb-text-s);
    color: var(--lb-ink-soft);
  }
  .problem {
    font-size: var(--lb-text-s);
    font-weight: 600;
    color: var(--lb-danger);
  }
`;
