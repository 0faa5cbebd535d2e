import { element, SectionedPage } from "@longbox/sdk/ui";
import { css, html } from "lit";
import "./duplicates-panel.js";
import "./moves-panel.js";
import "./reorganise-panel.js";
import "./review-panel.js";
import "./trash-panel.js";

/** `/files` and `/files/<section>`: what was moved, where everything should be, what scans were unsure of, and what was taken away. */
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
  protected readonly heading = "Files";
  protected readonly path = "/files";
  protected readonly sections = [
    {
      name: "moves",
      title: "Moves",
      permission: "system.jobs",
      show: () => html`<files-moves .longbox=${this.longbox}></files-moves>`,
    },
    {
      name: "reorganise",
      title: "Reorganise",
      permission: "system.jobs",
      show: () => html`<files-reorganise .longbox=${this.longbox}></files-reorganise>`,
    },
    {
      name: "review",
      title: "Review",
      permission: "library.manage",
      show: () => html`<files-review .longbox=${this.longbox}></files-review>`,
    },
    {
      name: "duplicates",
      title: "Duplicates",
      permission: "library.manage",
      show: () => html`<files-duplicates .longbox=${this.longbox}></files-duplicates>`,
    },
    {
      name: "trash",
      title: "Trash",
      permission: "library.manage",
      show: () => html`<files-trash .longbox=${this.longbox}></files-trash>`,
    },
  ];
}
