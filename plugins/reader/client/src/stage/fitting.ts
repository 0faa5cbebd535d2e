import type { Fit } from "@longbox/reader/api";
import type { Extent } from "./view-box.js";

/** The usual ratio of width to height of a page, used until the page is loaded. */
export const usualAspect = 0.66;

/** How a spread is to be shown. */
export interface Fitting {
  readonly fit: Fit;
  readonly window: Extent;
  /** The pages' own sizes, in device pixels. */
  readonly natural: readonly Extent[];
}

/** The size of each page of a spread, in CSS pixels: all of one height, side by side. */
export function fitSpread(aspects: readonly number[], fitting: Fitting): Extent[] {
  const aspect = aspects.reduce((sum, one) => sum + one, 0);
  const height = heightFor(aspect, fitting);
  return aspects.map((one) => ({ width: height * one, height }));
}

function heightFor(aspect: number, { natural, fit, window }: Fitting): number {
  switch (fit) {
    case "page":
      return Math.min(window.height, window.width / aspect);
    case "width":
      return window.width / aspect;
    case "height":
      return window.height;
    case "original":
      return Math.max(...natural.map((size) => size.height), 1) / devicePixelRatio;
  }
}

/** The width to request in device pixels, the same for all usual pages of an issue. */
export function wantedPixels(fit: Fit, pagesAcross: number, window: Extent): number | undefined {
  const across = window.width / pagesAcross;
  const upright = window.height * usualAspect;
  switch (fit) {
    case "page":
      return Math.min(across, upright) * devicePixelRatio;
    case "width":
      return across * devicePixelRatio;
    case "height":
      return upright * devicePixelRatio;
    case "original":
      return undefined;
  }
}
