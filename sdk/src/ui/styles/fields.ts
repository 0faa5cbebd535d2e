import { css } from "lit";

/**
 * Fields with their labels beside them, or above them in `.field`; `.hint`, `.problem`; switches; boxes to tick with a
 * text: `.check`.
 */
export const fields = css`
  input:not([type="checkbox"], [type="radio"]),
  select,
  textarea {
    min-width: 0;
    max-width: 100%;
    min-height: var(--lb-control, 2.5rem);
    padding: var(--lb-space-1) var(--lb-space-3);
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
    flex: none;
    width: 1.125rem;
    height: 1.125rem;
    margin: 0;
  }
  label {
    display: inline-flex;
    align-items: center;
    gap: var(--lb-space-2);
    font-weight: 600;
    font-size: var(--lb-text-s);
  }
  /* Where text is large, the field goes below its label. */
  label:has(> input:not([type="checkbox"], [type="radio"]), > select) {
    flex-wrap: wrap;
    max-width: 100%;
  }
  .field {
    display: grid;
    grid-template-columns: minmax(0, 1fr);
    gap: var(--lb-space-1);
    min-width: 0;
  }
  .field > input:not([type="checkbox"], [type="radio"]),
  .field > select,
  .field > textarea {
    width: 100%;
  }
  .field > .field-label {
    font-weight: 600;
    font-size: var(--lb-text-s);
  }
  .check {
    display: flex;
    align-items: start;
    font: inherit;
  }
  .check input {
    margin-top: 0.2em;
  }
  .switch {
    gap: var(--lb-space-3);
    min-height: 1.75rem;
    cursor: pointer;
  }
  .switch input {
    flex: none;
    width: 2.5rem;
    height: 1.5rem;
    margin: 0;
    appearance: none;
    border: 2px solid var(--lb-ink-soft);
    border-radius: 999px;
    background: radial-gradient(circle at 0.625rem 50%, var(--lb-ink-soft) 0.375rem, transparent calc(0.375rem + 1px))
      var(--lb-raised);
    cursor: pointer;
    transition: background var(--lb-fast);
  }
  .switch input:checked {
    border-color: var(--lb-accent);
    background: radial-gradient(
        circle at calc(100% - 0.625rem) 50%,
        var(--lb-on-accent) 0.375rem,
        transparent calc(0.375rem + 1px)
      )
      var(--lb-accent);
  }
  .switch input:disabled {
    opacity: 0.5;
    cursor: default;
  }
  .hint {
    font-size: var(--lb-text-s);
    color: var(--lb-ink-soft);
    overflow-wrap: anywhere;
  }
  .field .problem {
    font-size: var(--lb-text-s);
    font-weight: 600;
  }
`;
