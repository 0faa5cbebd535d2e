import { Dialog, icon, t } from "@longbox/sdk/ui";
import { css, html, LitElement, nothing } from "lit";
import { customElement, property } from "lit/decorators.js";
import { isHere, navigationItems, onThisDevice, type NavigationItem } from "../shell/navigation-items.js";
import { Watch } from "../shell/observable.js";
import type { Shell } from "../shell/shell.js";
import { base, buttons, dialogs } from "../styles/index.js";
import "./theme-switch.js";

const onTheBar = 4;

/** The navigation: a rail beside the page, or on phones a bar at the bottom with a "More" menu. */
@customElement("lb-navigation")
export class Navigation extends LitElement {
  @property({ attribute: false }) longbox!: Shell;
  readonly #more = new Dialog(this);

  constructor() {
    super();
    new Watch(this, () => [
      this.longbox.router.match,
      this.longbox.contributions.parts,
      this.longbox.session.state,
      this.longbox.theme.choice,
    ]);
  }

  static override styles = [
    base,
    dialogs,
    buttons,
    css`
      nav a {
        display: flex;
        align-items: center;
        gap: var(--lb-space-3);
        min-height: 2.75rem;
        padding: 0 var(--lb-space-3);
        border-radius: var(--lb-radius-m);
        color: var(--lb-ink);
        font-weight: 600;
        text-decoration: none;
        transition: background var(--lb-fast);
      }
      nav a:hover {
        background: color-mix(in oklab, var(--lb-line) 55%, transparent);
      }
      nav a[aria-current] {
        background: var(--lb-accent);
        color: var(--lb-on-accent);
      }
      .rail {
        position: sticky;
        top: 0;
        display: flex;
        flex-direction: column;
        gap: var(--lb-space-5);
        width: 13.5rem;
        height: 100dvh;
        padding: var(--lb-space-4) var(--lb-space-3);
        overflow-y: auto;
        border-inline-end: 1px solid var(--lb-line);
        background: var(--lb-surface);
      }
      .name {
        padding: var(--lb-space-2) var(--lb-space-3);
      }
      /* The front of the box: its name, and the handle below it. */
      .name a {
        display: grid;
        justify-items: center;
        gap: var(--lb-space-2);
        padding: var(--lb-space-3) var(--lb-space-3) var(--lb-space-4);
        border: 2px solid var(--lb-ink);
        border-radius: var(--lb-radius-s);
        color: var(--lb-ink);
        font: 800 1.55rem / 0.9 var(--lb-font-display);
        font-stretch: condensed;
        letter-spacing: 0.06em;
        text-decoration: none;
        text-transform: uppercase;
      }
      .name a::after {
        content: "";
        width: 3.25rem;
        height: 0.875rem;
        border-radius: 999px;
        background: var(--lb-ink);
      }
      .group {
        display: grid;
        gap: 2px;
      }
      .group > .label {
        padding: 0 var(--lb-space-3) var(--lb-space-1);
      }
      .foot {
        display: grid;
        gap: var(--lb-space-2);
        margin-top: auto;
        /* The account link stays visible, however long the list is. */
        position: sticky;
        bottom: calc(-1 * var(--lb-space-4));
        margin-bottom: calc(-1 * var(--lb-space-4));
        padding-block: var(--lb-space-2) var(--lb-space-4);
        background: var(--lb-surface);
      }
      /* What scrolls below it fades, which tells that there is more. */
      .foot::before {
        content: "";
        position: absolute;
        inset: auto 0 100%;
        height: var(--lb-space-4);
        background: linear-gradient(to top, var(--lb-surface), transparent);
        pointer-events: none;
      }
      .foot .who {
        overflow: hidden;
        text-overflow: ellipsis;
        white-space: nowrap;
      }
      /* With many plugins in a low window, items move closer together before the list scrolls. */
      @media (max-height: 80rem) {
        .rail {
          gap: var(--lb-space-3);
        }
        .rail .group {
          gap: 0;
        }
        .rail .group a,
        .rail .foot a {
          min-height: 2rem;
        }
        .name {
          padding: 0 var(--lb-space-3);
        }
        .name a {
          padding: var(--lb-space-2);
          font-size: 1.25rem;
        }
        .name a::after {
          width: 2rem;
          height: 0.5rem;
        }
      }
      .bar {
        display: none;
      }
      .sheet {
        display: grid;
        gap: var(--lb-space-4);
      }
      @media (min-width: 720px) and (max-width: 1099px) {
        .rail {
          width: 4.5rem;
          align-items: center;
          padding-inline: var(--lb-space-2);
        }
        .rail a {
          justify-content: center;
        }
        /* The switch is on the account page as well. */
        .rail lb-theme-switch {
          display: none;
        }
        .rail a span,
        .rail .group > .label {
          position: absolute;
          width: 1px;
          height: 1px;
          overflow: hidden;
          clip-path: inset(50%);
        }
        .name {
          padding: 0;
        }
        .name a {
          padding: var(--lb-space-2);
          font-size: 1.125rem;
        }
        .name a::before {
          content: "LB";
        }
        .name a::after {
          width: 1.5rem;
          height: 0.5rem;
        }
      }
      @media (max-width: 719px) {
        .rail {
          display: none;
        }
        .bar {
          position: fixed;
          z-index: 20;
          inset: auto 0 0;
          display: grid;
          grid-auto-columns: 1fr;
          grid-auto-flow: column;
          padding: var(--lb-space-1) var(--lb-space-2) max(var(--lb-space-1), env(safe-area-inset-bottom));
          border-top: 1px solid var(--lb-line);
          background: var(--lb-surface);
        }
        .bar a,
        .bar button {
          display: grid;
          justify-items: center;
          align-content: center;
          gap: 2px;
          min-width: 0;
          min-height: 3.5rem;
          padding: 0 2px;
          border: 0;
          border-radius: var(--lb-radius-m);
          background: none;
          color: var(--lb-ink-soft);
          font: 600 var(--lb-text-xs) / 1.2 var(--lb-font-text);
        }
        .bar a span {
          max-width: 100%;
          overflow: hidden;
          text-overflow: ellipsis;
          white-space: nowrap;
        }
        .bar a[aria-current] {
          background: none;
          color: var(--lb-accent);
        }
        .bar .icon {
          font-size: 1.125rem;
        }
      }
    `,
  ];

  override render() {
    const items = navigationItems(this.longbox);
    return html`${this.#rail(items.main, items.keeping)}${this.#bar(items.main, items.keeping)}`;
  }

  #rail(main: readonly NavigationItem[], keeping: readonly NavigationItem[]) {
    return html`<nav class="rail" aria-label=${t("navigation.main")}>
      <p class="name">
        <a href="/" aria-label=${t("navigation.longboxHome")}><span>Longbox</span></a>
      </p>
      <div class="group">${main.map((item) => this.#link(item))}</div>
      ${this.longbox.contributions.isListed ? this.#administration(keeping) : nothing}
      <div class="foot">
        <div class="group">
          ${this.#link(onThisDevice)}
          ${this.#link({ label: this.longbox.user.username, path: "/account", icon: "user", order: 0 })}
        </div>
        <lb-theme-switch .longbox=${this.longbox}></lb-theme-switch>
      </div>
    </nav>`;
  }

  #administration(keeping: readonly NavigationItem[]) {
    if (keeping.length === 0) return nothing;
    return html`<div class="group">
      <p class="label">${t("navigation.administration")}</p>
      ${keeping.map((item) => this.#link(item))}
    </div>`;
  }

  #bar(main: readonly NavigationItem[], keeping: readonly NavigationItem[]) {
    const rest = [...main.slice(onTheBar), onThisDevice];
    return html`<nav class="bar" aria-label=${t("navigation.mainShort")}>
        ${main.slice(0, onTheBar).map((item) => this.#link(item))}
        <button aria-haspopup="dialog" @click=${() => this.#more.open()}>${icon("menu")}${t("navigation.more")}</button>
      </nav>
      ${this.#more.render(
        t("navigation.more"),
        () =>
          html`<nav class="sheet" aria-label=${t("navigation.more")} @click=${() => this.#more.close()}>
              <div class="group">
                ${rest.map((item) => this.#link(item))}
                ${this.#link({ label: t("navigation.yourAccount", { username: this.longbox.user.username }), path: "/account", icon: "user", order: 0 })}
              </div>
              ${this.#administration(keeping)}
            </nav>
            <lb-theme-switch .longbox=${this.longbox}></lb-theme-switch>`,
      )}`;
  }

  #link(item: NavigationItem) {
    const here = isHere(item, this.longbox.router.match.value.url.pathname);
    return html`<a href=${item.path} title=${item.label} aria-current=${here ? "page" : nothing}
      >${icon(item.icon)}<span class="who">${item.label}</span></a
    >`;
  }
}
