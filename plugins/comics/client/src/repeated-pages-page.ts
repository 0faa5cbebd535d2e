import { Action, choice, count, element, LongboxElement, notice, problem, Resource, standard } from "@longbox/sdk/ui";
import { css, html, nothing, type TemplateResult } from "lit";
import { state } from "lit/decorators.js";
import type { DecidedPicture, RepeatedPages } from "@longbox/comics/api";

type Picture = RepeatedPages["pictures"][number];
type State = Picture["state"];

const headings: ReadonlyArray<readonly [State, string]> = [
  ["open", "To decide"],
  ["hidden", "Hidden"],
  ["kept", "Kept"],
];

/** `/repeated-pages`: pictures that are pages of many issues, such as advertisements, which can be hidden and shown again. */
@element("repeated-pages-page")
export class RepeatedPagesPage extends LongboxElement {
  static override styles = [
    standard,
    css`
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
    return html`<h1>Repeated pages</h1>
      <p class="soft">
        Pictures that are pages of several issues of different series, mostly advertisements of the groups that scanned
        them. Hidden ones are left out wherever issues are read; the files stay as they are.
      </p>
      <div class="row">
        ${choice({ label: "Show", choices: headings }, this.shown, (chosen) => (this.shown = chosen))}
        ${
          this.longbox.may("system.jobs")
            ? html`<button ?disabled=${this.#action.busy} @click=${() => this.#find()}>Find repeated pages</button>`
            : nothing
        }
      </div>
      ${problem(this.#action.problem)} ${this.#pictures.render(({ pictures, total }) => this.#list(pictures, total))}`;
  }

  #list(pictures: readonly Picture[], total: number): unknown {
    if (pictures.length > 0)
      return html`<p class="label">${count(total, "picture")}</p>
        ${pictures.map((picture) => this.#picture(picture))}`;
    return notice({
      heading: this.shown === "open" ? "No page repeats" : "There are none",
      text: "“Find repeated pages” compares the first and last pages of all comics. It can take hours in a large library, and goes on after a restart.",
    });
  }

  #picture(picture: Picture): TemplateResult {
    const heading = `In ${count(picture.issues, "issue")}`;
    return html`<section class="card" aria-label=${heading}>
      <div class="row spread">
        <h2>${heading}</h2>
        <div class="row">${this.#choices(picture)}</div>
      </div>
      <div class="places">
        ${picture.places.map(
          ({ image, label, page, seriesId }) =>
            html`<figure>
              <img src=${image} alt=${`Page ${page + 1} of ${label}`} loading="lazy" />
              <figcaption><a href=${`/series/${seriesId}`}>${label}</a>, page ${page + 1}</figcaption>
            </figure>`,
        )}
      </div>
    </section>`;
  }

  #choices(picture: Picture): unknown {
    const button = (label: string, to: State) =>
      html`<button ?disabled=${this.#action.busy} @click=${() => this.#decide(picture, to)}>${label}</button>`;
    if (picture.state === "hidden") return button("Show again", "open");
    if (picture.state === "kept") return button("Decide again", "open");
    return [button("Hide in all issues", "hidden"), button("Keep", "kept")];
  }

  async #decide({ hash }: Picture, to: State): Promise<void> {
    await this.#action.run(async () => {
      const { hiddenPages } = await this.post<DecidedPicture>(`/api/library/repeated-pages/${hash}`, { state: to });
      this.longbox.notify(`${count(hiddenPages, "page")} of the library are hidden now.`, { level: "success" });
    });
  }

  async #find(): Promise<void> {
    await this.#action.run(async () => {
      await this.post("/api/tools/find-repeated-pages", { dryRun: false });
      this.longbox.notify("All comics are being compared. Jobs shows how far it is.", { level: "success" });
    });
  }
}
