import { t } from "@longbox/sdk/ui";
import type { Reading } from "../reading.js";
import { pageUrl } from "../stage/page-images.js";
import { PagedStage, type TappedPage } from "../stage/paged-stage.js";
import { GuidedView } from "./guided-view.js";
import { PanelFinder } from "./panel-finder.js";

/** The width in which pages are fetched to look for panels: a size that the server makes anyway. */
const searchedWidth = 640;

export interface GuidedReader {
  readonly open: Reading;
  readonly shownStage: Element | null;
  turnPage(by: 1 | -1): void;
  say(text: string): void;
  requestUpdate(): void;
  /** Hides the controls: a panel fills the window. */
  hideControls(): void;
}

/** Reading panel by panel in an open issue. */
export class GuidedPages {
  readonly #reader: GuidedReader;
  readonly #view: GuidedView;
  #finder = new PanelFinder();

  constructor(reader: GuidedReader) {
    this.#reader = reader;
    this.#view = new GuidedView({
      panelsOf: (page) => this.#find(page),
      show: (page, panel) => {
        if (this.#stage && this.#reader.open.page === page) this.#stage.showPanel(panel);
        this.#reader.requestUpdate();
      },
      turn: (by) => {
        const before = reader.open.page;
        reader.turnPage(by);
        return reader.open.page === before ? undefined : reader.open.page;
      },
    });
  }

  get isOn(): boolean {
    return this.#view.page !== undefined;
  }

  /** Such as `panel 2 of 5`; empty when whole pages are shown. */
  get label(): string {
    return this.#view.label;
  }

  async toggle(): Promise<void> {
    if (this.isOn) return this.#stop();
    await this.#start(this.#reader.open.page, undefined);
  }

  /** Two taps: begin at the panel that was tapped, or stop; where there are no panels, they zoom. */
  async tapped(tapped: TappedPage): Promise<void> {
    if (this.isOn) return this.#stop();
    const isUpright = this.#reader.open.choices.rotation === 0;
    if (!isUpright || (await this.#find(tapped.page)).length === 0) return this.#stage?.toggleZoom(tapped.point);
    await this.#start(tapped.page, tapped);
  }

  async step(by: 1 | -1): Promise<void> {
    await this.#view.step(by);
  }

  /** The page may have been changed otherwise, by the slider or the overview. */
  follow(reading: Reading): void {
    const { page } = this.#view;
    if (page === undefined || page === reading.page) return;
    void this.#view.arrive(reading.page);
  }

  release(): void {
    if (this.isOn) this.#stop();
    this.#finder.release();
    this.#finder = new PanelFinder();
  }

  get #stage(): PagedStage | undefined {
    const { shownStage } = this.#reader;
    return shownStage instanceof PagedStage ? shownStage : undefined;
  }

  async #start(page: number, point: TappedPage | undefined): Promise<void> {
    const { open } = this.#reader;
    if (open.mode === "continuous") return this.#reader.say(t("guidedPages.aStripHasNo"));
    if (open.choices.rotation !== 0) open.choose({ rotation: 0 });
    if ((await this.#find(page)).length === 0) return this.#reader.say(t("guidedPages.noPanelsWereFound"));
    open.goTo(page);
    open.setGuided(true);
    await this.#view.start(page, point);
    this.#reader.hideControls();
  }

  #stop(): void {
    this.#view.stop();
    this.#reader.open.setGuided(false);
  }

  #find(page: number) {
    const { address, choices } = this.#reader.open;
    return this.#finder.find(pageUrl(address, page, searchedWidth), choices.direction);
  }
}
