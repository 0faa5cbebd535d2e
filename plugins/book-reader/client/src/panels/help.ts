import { html, type TemplateResult } from "lit";

const keys = [
  ["→ or Page Down or Space", "The next page"],
  ["← or Page Up", "The page before"],
  ["Home, End", "The beginning, the end of the book"],
  ["T", "Contents"],
  ["/ or Ctrl F", "Search in the book"],
  ["N", "Notes and highlights"],
  ["A", "Appearance"],
  ["B", "Bookmark"],
  ["H", "Highlight the selected text"],
  ["S", "Read aloud, or pause"],
  ["+ and −", "Size of the text"],
  ["Backspace", "Back to where a link was followed"],
  ["F", "Full screen"],
  ["Escape", "Close"],
] as const;

export function helpPanel(): TemplateResult {
  return html`<dl class="keys">
      ${keys.map(
        ([key, does]) =>
          html`<dt>${key}</dt>
            <dd>${does}</dd>`,
      )}
    </dl>
    <p class="soft">
      On a touch screen: tap the right or left edge or swipe to turn the page, tap the middle for the controls.
    </p>`;
}
