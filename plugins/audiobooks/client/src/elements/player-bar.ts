import { element, icon, LongboxElement, standard, t } from "@longbox/sdk/ui";
import { css, html, nothing } from "lit";
import { openBook } from "../player/choices.js";
import { playerOf } from "../player/window-player.js";
import { clock } from "../player/timeline.js";
import {
  bookSlider,
  chapterButtons,
  playButton,
  skipButtons,
  sleepButton,
  speedButton,
  volumeSlider,
} from "./controls.js";
import { playerStyles } from "./player-styles.js";

/** At the bottom of the window while a book is open: it stays while pages change. */
@element("audiobooks-player-bar")
export class PlayerBar extends LongboxElement {
  static override styles = [
    standard,
    playerStyles,
    css`
      .bar {
        position: relative;
        display: grid;
        grid-template-columns: minmax(0, 1fr) auto minmax(0, 1fr);
        align-items: center;
        gap: var(--lb-space-4);
        height: 4.75rem;
        padding: 0 var(--lb-space-4);
        border-top: 1px solid var(--lb-line);
        background: var(--lb-raised);
        box-shadow: var(--lb-shadow-2);
      }
      audiobooks-position {
        position: absolute;
        inset: -0.5rem 0 auto;
      }
      .about {
        display: flex;
        align-items: center;
        gap: var(--lb-space-3);
        min-width: 0;
        color: inherit;
        text-decoration: none;
      }
      .about img {
        flex: none;
        width: 3.25rem;
        height: 3.25rem;
        border-radius: var(--lb-radius-s);
        background: var(--lb-surface);
        object-fit: cover;
      }
      .words {
        display: grid;
        min-width: 0;
      }
      .words > * {
        overflow: hidden;
        text-overflow: ellipsis;
        white-space: nowrap;
      }
      .middle,
      .end {
        display: flex;
        align-items: center;
        gap: var(--lb-space-1);
      }
      .end {
        justify-content: flex-end;
      }
      .widest {
        display: flex;
        margin-inline-start: var(--lb-space-3);
      }
      .words .soft {
        font-size: var(--lb-text-s);
      }
      @media (max-width: 1199px) {
        .widest {
          display: none;
        }
      }
      @media (max-width: 899px) {
        .bar {
          grid-template-columns: minmax(0, 1fr) auto auto;
          gap: var(--lb-space-2);
          padding: 0 var(--lb-space-3);
        }
        .wide {
          display: none !important;
        }
      }
    `,
  ];

  readonly #update = () => this.requestUpdate();

  override connectedCallback(): void {
    super.connectedCallback();
    const player = playerOf(this.longbox);
    player.addEventListener("change", this.#update);
    const issueId = openBook.get();
    if (!player.book && issueId !== undefined)
      player.open(issueId, { play: false }).catch(() => {
        // The book is gone, or hidden by now.
        openBook.clear();
      });
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    playerOf(this.longbox).removeEventListener("change", this.#update);
    // The frame is away in pages that fill the window; without an account nothing plays on.
    if (!this.longbox.may("audiobooks.use")) playerOf(this.longbox).close();
  }

  override render() {
    const player = playerOf(this.longbox);
    const { book } = player;
    if (!book || player.isOnPage) return nothing;
    const [back, forward] = skipButtons(player);
    const [previous, next] = chapterButtons(player);
    return html`<section class="bar" aria-label=${t("playerBar.player")}>
      ${bookSlider(player)}
      <a class="about" href="/listen/${book.info.id}">
        <img src="${book.info.cover}?w=160" alt="" @error=${hide} />
        <span class="words">
          <strong>${book.info.title}</strong>
          <span class="soft">${player.problem ?? player.chapter?.title}</span>
        </span>
      </a>
      <div class="middle" dir="ltr">
        <span class="wide">${previous}</span>${back}${playButton(player)}${forward}<span class="wide">${next}</span>
      </div>
      <div class="end">
        <span class="time wide" dir="ltr">${clock(player.position)} / ${clock(book.timeline.duration)}</span>
        <span class="widest">${volumeSlider(player)}</span>
        <span class="wide">${speedButton(player)}</span>
        <span class="wide">${sleepButton(player)}</span>
        <button
          class="round quiet"
          aria-label=${t("playerBar.closeThePlayer")}
          title=${t("playerBar.closeThePlayer")}
          @click=${() => player.close()}
        >
          ${icon("close")}
        </button>
      </div>
    </section>`;
  }
}

function hide(event: Event): void {
  (event.target as HTMLElement).hidden = true;
}
