import { t } from "@longbox/sdk/ui";
import { html, type TemplateResult } from "lit";
import type { Reading } from "./reading.js";
import "./stage/continuous-stage.js";
import type { TappedPage } from "./stage/paged-stage.js";
import "./stage/paged-stage.js";

/** What happens on a stage. */
export interface StageActions {
  turn(by: 1 | -1): void;
  /** The reader went on at the end of a strip. */
  beyond(): void;
  /** The button at the end of a strip. */
  onward(): void;
  middle(): void;
  twice(tapped: TappedPage): void;
}

/** The pages of an issue, in the way that they are read. */
export function stageOf(reading: Reading, actions: StageActions): TemplateResult {
  return reading.mode === "continuous" ? strip(reading, actions) : pages(reading, actions);
}

function strip(reading: Reading, actions: StageActions): TemplateResult {
  const { issue, choices } = reading;
  const { next } = issue.neighbours;
  return html`<longbox-continuous-stage
    class="stage"
    tabindex="0"
    aria-label=${t("stages.pages")}
    .images=${reading.images}
    .pageCount=${issue.pageCount}
    .fit=${choices.fit}
    .rotation=${choices.rotation}
    .taps=${choices.taps}
    .startPage=${reading.page}
    .onward=${next ? t("stages.continueWith", { short: next.label.short }) : t("stages.youHaveReachedThe")}
    @page=${(event: CustomEvent<number>) => reading.goTo(event.detail)}
    @beyond=${() => actions.beyond()}
    @onward=${() => actions.onward()}
    @middle=${() => actions.middle()}
  ></longbox-continuous-stage>`;
}

function pages(reading: Reading, actions: StageActions): TemplateResult {
  const { choices } = reading;
  return html`<longbox-paged-stage
    class="stage"
    .images=${reading.images}
    .spread=${reading.spread}
    .direction=${choices.direction}
    .fit=${choices.fit}
    .rotation=${choices.rotation}
    .taps=${choices.taps}
    .pixels=${reading.pixels}
    @turn=${(event: CustomEvent<1 | -1>) => actions.turn(event.detail)}
    @middle=${() => actions.middle()}
    @twice=${(event: CustomEvent<TappedPage>) => actions.twice(event.detail)}
  ></longbox-paged-stage>`;
}
