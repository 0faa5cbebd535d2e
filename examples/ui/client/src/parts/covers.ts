import {
  badge,
  card,
  cards,
  cover,
  covers,
  element,
  LongboxElement,
  type Card,
  type ClientBadge,
} from "@longbox/sdk/ui";
import { css, html } from "lit";
import { style } from "../style.js";

const picture = "/favicon.svg";
const badges: readonly ClientBadge[] = [
  { kind: "count", value: 3, label: "3 unread" },
  { kind: "tick", label: "read" },
  { kind: "progress", value: 0.4, label: "page 8 of 20" },
  { kind: "mark", icon: "bookmark", label: "to be read later" },
];
const usual: Card = { href: "/kit/covers", cover: picture, title: "Moth Patrol", note: "2019 · 7/10" };
const examples: readonly Card[] = [
  usual,
  { ...usual, title: "Badges", badges },
  { ...usual, title: "Missing", note: "not owned", isMissing: true },
  { ...usual, title: "Restricted", isBlurred: true },
  { ...usual, title: "Damaged", problem: "damaged" },
  { ...usual, title: "Without a picture", cover: null, number: "#12" },
  { ...usual, title: "With a picture that is not there", cover: "/api/no-such-picture" },
  { ...usual, title: "The Extraordinarily Long Winded Adventures of Captain Umbra", cover: null },
];

/** Covers and badges. */
@element("kit-covers")
export class KitCovers extends LongboxElement {
  static override styles = [
    style,
    covers,
    cards,
    css`
      ul {
        display: grid;
        grid-template-columns: repeat(auto-fill, minmax(8rem, 1fr));
        gap: var(--lb-space-4);
      }
      .bare {
        width: 6rem;
      }
    `,
  ];

  override render() {
    return html`<section aria-label="Cards">
        <h2>Cards</h2>
        <ul>
          ${examples.map((example) => html`<li>${card(example)}</li>`)}
          <li>${card({ ...usual, title: "Selected" }, { isSelected: true })}</li>
        </ul>
      </section>
      <section aria-label="Badges">
        <h2>Badges</h2>
        <p class="row">${badges.map(badge)}</p>
      </section>
      <section aria-label="A cover alone">
        <h2>A cover alone</h2>
        <div class="bare">${cover({ path: null, title: "Moth Patrol", number: "#1" })}</div>
      </section>`;
  }
}
