import { base, icon, number, t } from "@longbox/sdk/ui";
import { css, html, LitElement, nothing } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import { asNotLoaded, failureNotice } from "../shell/loading.js";
import { Watch } from "../shell/observable.js";
import type { Shell } from "../shell/shell.js";
import { awayNotice, sections } from "./away-notice.js";
import { FollowedActivity } from "./followed-activity.js";

/**
 * The one indicator of the frame: what the server does, what is new, and that it is away. What is behind the button is
 * loaded when it is first opened.
 */
@customElement("lb-activity")
export class ActivityButton extends LitElement {
  @property({ attribute: false }) longbox!: Shell;
  @state() private isOpen = false;
  @state() private isLoaded = false;
  #isLoading = false;
  readonly #followed = new FollowedActivity(this);

  constructor() {
    super();
    new Watch(this, () => [this.longbox.changes.connection.reach]);
  }

  static override styles = [
    base,
    sections,
    css`
      :host {
        display: flex;
        flex: none;
      }
      button {
        position: relative;
        display: flex;
        align-items: center;
        justify-content: center;
        gap: var(--lb-space-2);
        min-width: 2.5rem;
        height: 2.5rem;
        padding: 0;
        border: 0;
        border-radius: 999px;
        background: none;
        color: var(--lb-ink-soft);
        font: inherit;
        cursor: pointer;
      }
      button:hover,
      button[aria-expanded="true"] {
        background: var(--lb-raised);
        color: var(--lb-ink);
      }
      button svg {
        width: 1.5rem;
        height: 1.5rem;
      }
      .away {
        padding-inline: var(--lb-space-3);
        background: var(--lb-accent-soft);
        color: var(--lb-ink);
        font-weight: 600;
      }
      .busy::after {
        content: "";
        position: absolute;
        inset: 1px;
        border: 2px solid var(--lb-line);
        border-top-color: var(--lb-accent);
        border-radius: 50%;
        animation: turn 1.4s linear infinite;
      }
      @keyframes turn {
        to {
          rotate: 1turn;
        }
      }
      .new {
        position: absolute;
        top: 0.1rem;
        inset-inline-end: 0;
        min-width: 1.25rem;
        padding: 0 0.25rem;
        border-radius: 999px;
        background: var(--lb-accent);
        color: var(--lb-on-accent);
        font: 700 var(--lb-text-xs) / 1.25rem var(--lb-font-text);
        text-align: center;
      }
      [popover] {
        position: fixed;
        inset-block: 3.75rem auto;
        inset-inline: auto var(--lb-space-4);
        width: min(26rem, calc(100vw - 2 * var(--lb-space-4)));
        max-height: calc(100dvh - 6rem);
        margin: 0;
        padding: var(--lb-space-4);
        overflow: auto;
        border: 1px solid var(--lb-line);
        border-radius: var(--lb-radius-l);
        background: var(--lb-raised);
        color: var(--lb-ink);
        box-shadow: var(--lb-shadow-2);
      }
      @media (max-width: 719px) {
        .away span {
          position: absolute;
          width: 1px;
          height: 1px;
          overflow: hidden;
          clip-path: inset(50%);
        }
        .away {
          padding: 0;
        }
      }
      @media (prefers-reduced-motion: reduce) {
        .busy::after {
          animation: none;
        }
      }
    `,
  ];

  override render() {
    const found = this.#followed.found();
    const reach = this.longbox.changes.connection.reach.value;
    if (found.length === 0 && reach === "here") return nothing;
    const isBusy = found.some(({ source, activity }) => source.kind === "work" && activity.count > 0);
    const unseen = found.reduce((sum, { source, activity }) => sum + (source.kind === "news" ? activity.count : 0), 0);
    const says = reach === "here" ? labelOf(found) : t("activity.noConnection");
    return html`<button
        type="button"
        class=${reach !== "here" ? "away" : isBusy ? "busy" : ""}
        popovertarget="panel"
        aria-haspopup="true"
        aria-expanded=${this.isOpen}
        aria-label=${says}
        title=${says}
      >
        ${reach === "here" ? icon("bell") : html`${icon("warning")}<span>${says}</span>`}
        ${unseen > 0 && reach === "here" ? html`<span class="new" aria-hidden="true">${unseen > 99 ? "99+" : number(unseen)}</span>` : nothing}
      </button>
      <div id="panel" popover role="group" aria-label=${t("activity.activity")} @toggle=${this.#toggled}>
        ${this.isOpen && !this.isLoaded && reach !== "here" ? awayNotice(reach, (inside) => html`<a href="/offline" @click=${this.#close}>${inside}</a>`) : nothing}
        ${this.isOpen && this.isLoaded ? html`<lb-activity-panel .longbox=${this.longbox} .found=${found} .reach=${reach} @done=${this.#close}></lb-activity-panel>` : nothing}
      </div>`;
  }

  readonly #toggled = (event: ToggleEvent): void => void (this.isOpen = event.newState === "open");

  /** While the server is away, the code of the panel does not come either. */
  override updated(): void {
    const isHere = this.longbox.changes.connection.reach.value === "here";
    if (this.isOpen && isHere && !this.isLoaded) void this.#load();
  }

  readonly #close = (): void => this.renderRoot.querySelector<HTMLElement>("#panel")?.hidePopover();

  async #load(): Promise<void> {
    if (this.#isLoading) return;
    this.#isLoading = true;
    try {
      await import("./activity-panel.js");
      this.isLoaded = true;
    } catch (thrown) {
      this.#close();
      this.longbox.notify(...failureNotice(asNotLoaded(thrown, t("activity.activity"))));
    } finally {
      this.#isLoading = false;
    }
  }
}

type Found = ReturnType<FollowedActivity["found"]>;

function labelOf(found: Found): string {
  const some = found.filter(({ activity }) => activity.count > 0);
  if (some.length === 0) return t("activity.activity");
  const counts = some.map(({ source, activity }) => `${source.title}: ${number(activity.count)}`).join(", ");
  return t("activity.activityOf", { counts });
}
