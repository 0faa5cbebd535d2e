import { t } from "@longbox/sdk/ui";
import type { Panel } from "./find-panels.js";

/** What the guided view needs of the reader. */
export interface Guided {
  panelsOf(page: number): Promise<readonly Panel[]>;
  show(page: number, panel: Panel | undefined): void;
  /** Goes to the next or previous page. @returns the page; undefined at the end */
  turn(by: 1 | -1): number | undefined;
}

/** Walks a page panel by panel, and on to the next page. A page without panels counts as one. */
export class GuidedView {
  readonly #reader: Guided;
  #page: number | undefined;
  #panels: readonly Panel[] = [];
  #index = 0;
  #walks = 0;

  constructor(reader: Guided) {
    this.#reader = reader;
  }

  /** The page that is walked; undefined when whole pages are shown. */
  get page(): number | undefined {
    return this.#page;
  }

  /** Such as `panel 2 of 5`; empty for a page without panels. */
  get label(): string {
    return this.#panels.length > 0
      ? t("guidedView.panelOf", { index: this.#index + 1, panels: this.#panels.length })
      : "";
  }

  /**
   * Begins at the panel that is nearest to a point, else at the first.
   * @returns false when the page is not divided into panels
   */
  async start(page: number, point?: { readonly x: number; readonly y: number }): Promise<boolean> {
    const panels = await this.#reader.panelsOf(page);
    if (panels.length === 0) return false;
    this.#enter(page, panels, point ? nearest(panels, point) : 0);
    return true;
  }

  /** @returns false when there is no page to go on to */
  async step(by: 1 | -1): Promise<boolean> {
    if (this.#panels[this.#index + by]) {
      this.#enter(this.#page!, this.#panels, this.#index + by);
      return true;
    }
    const page = this.#reader.turn(by);
    if (page === undefined) return false;
    await this.arrive(page, by);
    return true;
  }

  /** Goes on with the panels of another page, which is already shown. */
  async arrive(page: number, by: 1 | -1 = 1): Promise<void> {
    const walk = ++this.#walks;
    this.#page = page;
    const panels = await this.#reader.panelsOf(page);
    if (walk === this.#walks && this.#page === page) this.#enter(page, panels, by === 1 ? 0 : panels.length - 1);
  }

  stop(): void {
    if (this.#page === undefined) return;
    const page = this.#page;
    this.#page = undefined;
    this.#panels = [];
    this.#reader.show(page, undefined);
  }

  #enter(page: number, panels: readonly Panel[], index: number): void {
    this.#walks++;
    this.#page = page;
    this.#panels = panels;
    this.#index = Math.max(0, index);
    this.#reader.show(page, panels[this.#index]);
  }
}

/** The index of the panel under a point, or of the one that is nearest to it. */
function nearest(panels: readonly Panel[], point: { readonly x: number; readonly y: number }): number {
  const distances = panels.map(({ x, y, width, height }) =>
    Math.hypot(Math.max(x - point.x, 0, point.x - x - width), Math.max(y - point.y, 0, point.y - y - height)),
  );
  return distances.indexOf(Math.min(...distances));
}
