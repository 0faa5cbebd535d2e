import { t } from "@longbox/sdk/ui";
import type { Letters } from "@longbox/collection/api";
import { css, html } from "lit";

interface LetterRail {
  readonly letters: Letters;
  readonly total: number;
  /** The list begins with the last letter. */
  readonly isReversed: boolean;
  readonly goTo: (index: number) => void;
}

/** The letters beside a list that is sorted by title: each leads to the first title that begins with it. */
export function letterRail({ letters, total, isReversed, goTo }: LetterRail) {
  const places = letters.map(({ letter, offset }, at) => {
    const end = letters[at + 1]?.offset ?? total;
    return { letter, index: isReversed ? total - end : offset };
  });
  const shown = isReversed ? places.toReversed() : places;
  return html`<nav class="letters" aria-label=${t("letterRail.letters")} @keydown=${step}>
    ${shown.map(
      ({ letter, index }, at) =>
        html`<button
          type="button"
          class="quiet"
          tabindex=${at === 0 ? 0 : -1}
          aria-label=${spoken(letter)}
          @click=${() => goTo(index)}
        >
          ${letter}
        </button>`,
    )}
  </nav>`;
}

function spoken(letter: string): string {
  if (letter === "#") return t("letterRail.titlesThatBeginWith2");
  return letter === "…" ? t("letterRail.titlesInOtherAlphabets") : t("letterRail.titlesThatBeginWith", { letter });
}

/** The rail is one stop of the Tab key; arrow keys walk through it. */
function step(event: KeyboardEvent): void {
  const rail = event.currentTarget as HTMLElement;
  const buttons = [...rail.querySelectorAll("button")];
  const at = buttons.indexOf(event.target as HTMLButtonElement);
  const next = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: buttons.length - 1 }[event.key];
  const button = next === undefined ? undefined : buttons[next];
  if (!button) return;
  event.preventDefault();
  for (const other of buttons) other.tabIndex = other === button ? 0 : -1;
  button.focus();
}

export const letterRailStyle = css`
  .beside-letters {
    display: grid;
    grid-template-columns: minmax(0, 1fr) auto;
    gap: var(--lb-space-2);
    align-items: start;
    margin-inline-end: calc(-0.6 * var(--lb-gutter));
  }
  .letters {
    /* Its place is held until the letters are there. */
    min-width: 1.5rem;
    position: sticky;
    top: 5rem;
    display: grid;
    max-height: calc(100dvh - 10rem);
    overflow: hidden;
  }
  .letters button {
    width: 1.5rem;
    min-width: 1.5rem;
    height: clamp(0.9rem, (100dvh - 10rem) / 28, 1.5rem);
    min-height: 0;
    padding: 0;
    color: var(--lb-ink-soft);
    font: 600 var(--lb-text-xs) / 1 var(--lb-font-mono);
  }
  .letters button:hover {
    color: var(--lb-ink);
  }
`;
