import { keptWidth, type LoadedPage, type PageImages } from "./page-images.js";

/** An image with less than this share of the pixels that it covers on the screen is fetched again in a larger size. */
const sharpEnough = 0.8;

/**
 * Fetches a larger size of a page that is shown larger than it was fetched.
 * @returns undefined where it is sharp, or no larger one comes
 */
export async function sharperPage(
  { image, width, page }: LoadedPage,
  images: PageImages,
  zoom: number,
): Promise<LoadedPage | undefined> {
  const needed = image.offsetWidth * zoom * devicePixelRatio;
  const isWhole = width === undefined || image.naturalWidth < width;
  if (isWhole || !(image.naturalWidth < needed * sharpEnough)) return undefined;
  // Without the sharper image the present one stays.
  return images.load(page, keptWidth(needed)).catch(() => undefined);
}

/** Puts the sharper image where the other one is, in the same size. */
export function replaceImage({ image }: LoadedPage, sharper: LoadedPage): void {
  const { width, height, rotate } = image.style;
  Object.assign(sharper.image.style, { width, height, rotate });
  image.replaceWith(sharper.image);
}
