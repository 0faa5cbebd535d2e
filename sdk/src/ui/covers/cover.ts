import { html, nothing, type TemplateResult } from "lit";
import { lockedSleeve } from "../states/drawings.js";
import { leaving } from "./leaving.js";

/** A picture that represents something, such as the front of a book. */
export interface Cover {
  /** The address on this server, without a width; without one only the sleeve is shown. */
  readonly path: string | null | undefined;
  /** The text of the placeholder while there is no picture. */
  readonly title: string;
  readonly number?: string;
  /** The address has pictures of one width only, as those of other servers have. */
  readonly hasOneWidth?: boolean;
  /** How wide it is shown, as in the `sizes` of an image. */
  readonly sizes?: string;
  /** It is near the top of the page, so it is fetched at once. */
  readonly isEager?: boolean;
  /** The user does not own it: the picture is grey. */
  readonly isMissing?: boolean;
  /** The user does not want to see it: the picture is blurred. */
  readonly isBlurred?: boolean;
}

const widths = [160, 320, 480, 640] as const;
const inks = 6;
/** Retries for a picture that may be created after the page was rendered: the delays of the requests. */
const retriesMs = [4000, 12_000, 40_000];
/**
 * Width by height of pictures that count as square, such as those of audiobooks: they are shown whole. Wider ones are
 * cut.
 */
const [leastSquare, mostSquare] = [0.85, 1.2];
const tries = new WeakMap<HTMLImageElement, number>();

/**
 * A cover: the picture, loaded when it comes near the window, over a sleeve with the title for as long as there is
 * none. It has no name of its own, so put the title in words beside it. Styled by `covers`.
 */
export function cover(cover: Cover): TemplateResult {
  const { path, isMissing, isBlurred } = cover;
  const state = `${isMissing ? " missing" : ""}${isBlurred ? " blurred" : ""}${path ? "" : " bare"}`;
  return html`<span class="cover${state}" aria-hidden="true">
    <span class="sleeve ink-${inkOf(cover.title)}">
      <strong>${cover.title}</strong>
      ${cover.number ? html`<span>${cover.number}</span>` : nothing}
    </span>
    ${path ? picture(path, cover) : nothing} ${isBlurred ? lockedSleeve() : nothing}
  </span>`;
}

/**
 * Where the server has a cover in a width of its choosing, near the wanted one. A wall makes hundreds of these
 * addresses whenever it is drawn, so they are not parsed.
 */
export function coverAddress(path: string, width: number): string {
  return `${path}${path.includes("?") ? "&" : "?"}w=${width}`;
}

function picture(path: string, { sizes = "160px", isEager = false, hasOneWidth = false }: Cover): TemplateResult {
  return html`<img
    ${leaving()}
    alt=""
    sizes=${sizes}
    srcset=${hasOneWidth ? `${path} 320w` : widths.map((width) => `${coverAddress(path, width)} ${width}w`).join(", ")}
    src=${hasOneWidth ? path : coverAddress(path, 320)}
    loading=${isEager ? "eager" : "lazy"}
    decoding="async"
    @load=${loaded}
    @error=${missed}
  />`;
}

function loaded(event: Event): void {
  const image = event.target as HTMLImageElement;
  tries.delete(image);
  image.parentElement?.removeAttribute("data-failed");
  const ratio = image.naturalWidth / image.naturalHeight;
  image.parentElement?.toggleAttribute("data-square", ratio >= leastSquare && ratio <= mostSquare);
}

function missed(event: Event): void {
  const image = event.target as HTMLImageElement;
  image.parentElement?.setAttribute("data-failed", "");
  const tried = tries.get(image) ?? 0;
  const wait = retriesMs[tried];
  if (wait === undefined) return;
  tries.set(image, tried + 1);
  setTimeout(() => {
    // Setting the attribute, even to the same text, loads the image again.
    if (image.isConnected) image.setAttribute("srcset", image.srcset);
  }, wait);
}

/** The same title is always printed in the same ink. */
function inkOf(title: string): number {
  let sum = 0;
  for (const character of title) sum = (sum * 31 + (character.codePointAt(0) ?? 0)) % 997;
  return sum % inks;
}
