import { element, SectionedPage, t } from "@longbox/sdk/ui";
import { css, html } from "lit";
import "./duplicates-panel.js";
import "./moves-panel.js";
import "./reorganise-panel.js";
import "./review-panel.js";
import "./split-series-panel.js";
import "./trash-panel.js";

/** `/files` and `/files/<section>`: moves, reorganising, reviews of names, copies and split series, and the trash. */
@element("files-page")
export class FilesPage extends SectionedPage {
  static override styles = [
    SectionedPage.styles,
    css`
      .section {
        max-width: 72rem;
      }
    `,
  ];
  protected readonly heading = t("filesPage.files");
  protected readonly path = "/files";
  protected readonly sections = [
    {
      name: "moves",
      title: t("filesPage.moves"),
      permission: "system.jobs",
      show: () => html`<files-moves .longbox=${this.longbox}></files-moves>`,
    },
    {
      name: "reorganise",
      title: t("filesPage.reorganise"),
      permission: "system.jobs",
      show: () => html`<files-reorganise .longbox=${this.longbox}></files-reorganise>`,
    },
    {
      name: "review",
      title: t("filesPage.review"),
      permission: "library.manage",
      show: () => html`<files-review .longbox=${this.longbox}></files-review>`,
    },
    {
      name: "duplicates",
      title: t("filesPage.duplicates"),
      permission: "library.manage",
      show: () => html`<files-duplicates .longbox=${this.longbox}></files-duplicates>`,
    },
    {
      name: "split",
      title: t("filesPage.splitSeries"),
      permission: "library.manage",
      show: () => html`<files-split-series .longbox=${this.longbox}></files-split-series>`,
    },
    {
      name: "trash",
      title: t("filesPage.trash"),
      permission: "library.manage",
      show: () => html`<files-trash .longbox=${this.longbox}></files-trash>`,
    },
  ];
}
