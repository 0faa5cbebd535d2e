import { t } from "@longbox/sdk/ui";
import { css, html, LitElement } from "lit";
import { customElement, property } from "lit/decorators.js";
import type { Direction } from "@longbox/reader/api";
import { tapZones, type TapLayout, type TapZone } from "../stage/tap-zones.js";

const labels: Record<TapZone, string> = {
  forward: t("zoneMap.next"),
  back: t("zoneMap.back"),
  controls: t("zoneMap.controls"),
};

/** Shows over the pages what a tap does where. Taps go through it. */
@customElement("longbox-zone-map")
export class ZoneMap extends LitElement {
  @property() taps: TapLayout = "sides";
  @property() direction: Direction = "ltr";

  static override styles = css`
    :host {
      position: absolute;
      inset: 0;
      /* Columns as the zones have them: by the direction of the comic. */
      direction: ltr;
      display: grid;
      grid-template: 30% 40% 30% / 30% 40% 30%;
      pointer-events: none;
      font: 700 var(--lb-text-s) / 1.2 var(--lb-font-display);
    }
    div {
      display: grid;
      place-items: center;
      color: #fff;
      text-shadow: 0 1px 3px #000;
    }
    .forward {
      background: rgb(24 122 78 / 0.55);
    }
    .back {
      background: rgb(40 86 168 / 0.55);
    }
    .controls {
      background: rgb(20 20 24 / 0.45);
    }
  `;

  override render() {
    const zones = tapZones(this.taps, this.direction);
    // One word for each area of zones that do the same, at its middle.
    return zones.map((zone, index) => html`<div class=${zone}>${isNamed(zones, index) ? labels[zone] : ""}</div>`);
  }
}

function isNamed(zones: readonly TapZone[], index: number): boolean {
  const same = zones.flatMap((zone, at) => (zone === zones[index] ? [at] : []));
  return same[same.length >> 1] === index;
}
