import { NotFound } from "@longbox/sdk";
import type { PageShape } from "../contract.js";

/** Types that no browser shows, and that are rendered instead. */
const converted = new Set(["image/tiff"]);
/** Types that few clients show, and that the image library cannot decode. */
const unshown = new Map([
  ["image/jp2", "JPEG 2000"],
  ["image/heic", "HEIC"],
  ["image/heif", "HEIF"],
  ["image/jxl", "JPEG XL"],
]);

/** Whether most clients show a page of this type, or one that the server makes of it. */
export const isShownSomehow = (contentType: string): boolean => !unshown.has(contentType);

export const isConverted = (contentType: string): boolean => converted.has(contentType);

/**
 * A client that names the types that it shows, and not this one, would show nothing and could not say why.
 * @throws {NotFound} `comics/page-not-shown`
 */
export function refuseUnshown(contentType: string, { accept, plain }: PageShape): void {
  const name = unshown.get(contentType);
  const isNamed = accept?.includes(contentType) === true;
  const isOpen = !plain && (accept === undefined || !accept.includes("image/"));
  if (name === undefined || isNamed || isOpen) return;
  throw new NotFound(
    "comics/page-not-shown",
    `The page is a ${name} image, which this app does not show and the server cannot convert.`,
    { contentType },
  );
}
