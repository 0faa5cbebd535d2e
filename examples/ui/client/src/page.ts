import { element, SectionedPage, standard } from "@longbox/sdk/ui";
import { html } from "lit";
import "./parts/basics.js";
import "./parts/covers.js";
import "./parts/lists.js";
import "./parts/overlays.js";
import "./parts/rows.js";
import "./parts/served.js";
import "./parts/states.js";

/** `/kit`: every part of the kit, in every state. */
@element("kit-page")
export class KitPage extends SectionedPage {
  static override styles = [SectionedPage.styles, standard];
  protected override readonly heading = "Kit";
  protected override readonly path = "/kit";
  protected override readonly sections = [
    { name: "basics", title: "Basics", show: () => html`<kit-basics .longbox=${this.longbox}></kit-basics>` },
    { name: "states", title: "States", show: () => html`<kit-states .longbox=${this.longbox}></kit-states>` },
    { name: "overlays", title: "Overlays", show: () => html`<kit-overlays .longbox=${this.longbox}></kit-overlays>` },
    { name: "covers", title: "Covers", show: () => html`<kit-covers .longbox=${this.longbox}></kit-covers>` },
    { name: "lists", title: "Lists", show: () => html`<kit-lists .longbox=${this.longbox}></kit-lists>` },
    { name: "rows", title: "Rows", show: () => html`<kit-rows .longbox=${this.longbox}></kit-rows>` },
    { name: "served", title: "Served", show: () => html`<kit-served .longbox=${this.longbox}></kit-served>` },
  ];
}
