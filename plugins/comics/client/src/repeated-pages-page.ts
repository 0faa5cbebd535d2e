import {
  Action,
  choice,
  element,
  LongboxElement,
  notice,
  notices,
  pageFrame,
  problem,
  Resource,
  rich,
  standard,
  t,
} from "@longbox/sdk/ui";
import { css, html, nothing, type TemplateResult } from "lit";
import { state } from "lit/decorators.js";
import type { DecidedPicture, RepeatedPages } from "@longbox/comics/api";

type Picture = RepeatedPages["pictures"][number];
type State = Picture["state"];

const headings: ReadonlyArray<readonly [State, string]> = [
  ["open", t("repeatedPagesPage.toDecide")],
  ["hidden", t("repeatedPagesPage.hidden")],
  ["kept", t("repeatedPagesPage.kept")],
];

/**
 * `/repeated-pages`: pictures that are pages of many issues, such as advertisements, which can be hidden and shown
 * again.
 */
@element("repeated-pages-page")
export class RepeatedPagesPage extends LongboxElement {
  static override styles = [
    standard,
    pageFrame,
    notices,
    css`
      .about {
        max-width: 46rem;
        margin-top: var(--lb-space-2);
      }
      .page-head {
        align-items: center;
      }
      .card {
        display: grid;
        gap: var(--lb-space-2);
        margin-block: var(--lb-space-4);
      }
      .places {
        display: grid;
        grid-template-columns: repeat(auto-fill, minmax(9rem, 1fr));
        gap: var(--lb-space-3);
      }
      figure {
        margin: 0;
      }
      img {
        width: 100%;
        border-radius: var(--lb-radius-m);
      }
    `,
  ];
  @state() private shown: State = "open";
  readonly #pictures = new Resource<RepeatedPages>(this, {
    path: () => `/api/library/repeated-pages?state=${this.shown}`,
    domains: ["jobs", "collection"],
  });
  readonly #action = new Action(this, { after: () => this.#pictures.refresh() });

  override render(): unknown {
    return html`<div class="page-head">
        <div>
          <h1>${t("repeatedPagesPage.repeatedPages")}</h1>
          <p class="soft about">${t("repeatedPagesPage.picturesThatArePages")}</p>
        </div>
        <div class="row">
          ${choice({ label: t("repeatedPagesPage.show"), choices: headings }, this.shown, (chosen) => (this.shown = chosen))}
          ${
            this.longbox.may("system.jobs")
              ? html`<button ?disabled=${this.#action.busy} @click=${() => this.#find()}>
                  ${t("repeatedPagesPage.findRepeatedPages")}
                </button>`
              : nothing
          }
        </div>
      </div>
      ${problem(this.#action.problem)} ${this.#pictures.render(({ pictures, total }) => this.#list(pictures, total))}`;
  }

  #list(pictures: readonly Picture[], total: number): unknown {
    if (pictures.length > 0)
      return html`<p class="label">${t("repeatedPagesPage.pictures", { total })}</p>
        ${pictures.map((picture) => this.#picture(picture))}`;
    return notice({
      drawing: "box",
      heading: this.shown === "open" ? t("repeatedPagesPage.noPageRepeats") : t("repeatedPagesPage.thereAreNone"),
      text: t("repeatedPagesPage.findRepeatedPagesCompares"),
    });
  }

  #picture(picture: Picture): TemplateResult {
    const heading = t("repeatedPagesPage.inIssues", { issues: picture.issues });
    return html`<section class="card" aria-label=${heading}>
      <div class="row spread">
        <h2>${heading}</h2>
        <div class="row">${this.#choices(picture)}</div>
      </div>
      <div class="places">
        ${picture.places.map(
          ({ image, label, page, seriesId }) =>
            html`<figure>
              <img src=${image} alt=${t("repeatedPagesPage.pageOf", { page: page + 1, label })} loading="lazy" />
              <figcaption>
                ${rich("repeatedPagesPage.page", { link: (inside: unknown) => html`<a href=${`/series/${seriesId}`}>${inside}</a>`, label, page: page + 1 })}
              </figcaption>
            </figure>`,
        )}
      </div>
    </section>`;
  }

  #choices(picture: Picture): unknown {
    const button = (label: string, to: State) =>
      html`<button ?disabled=${this.#action.busy} @click=${() => this.#decide(picture, to)}>${label}</button>`;
    if (picture.state === "hidden") return button(t("repeatedPagesPage.showAgain"), "open");
    if (picture.state === "kept") return button(t("repeatedPagesPage.decideAgain"), "open");
    return [button(t("repeatedPagesPage.hideInAllIssues"), "hidden"), button(t("repeatedPagesPage.keep"), "kept")];
  }

  async #decide({ hash }: Picture, to: State): Promise<void> {
    await this.#action.run(async () => {
      const { hiddenPages } = await this.post<DecidedPicture>(`/api/library/repeated-pages/${hash}`, { state: to });
      this.longbox.notify(t("repeatedPagesPage.pagesOfTheLibrary", { hiddenPages }), { level: "success" });
    });
  }

  async #find(): Promise<void> {
    await this.#action.run(async () => {
      await this.post("/api/tools/find-repeated-pages", { dryRun: false });
      this.longbox.notify(t("repeatedPagesPage.allComicsAreBeing"), { level: "success" });
    });
  }
}
