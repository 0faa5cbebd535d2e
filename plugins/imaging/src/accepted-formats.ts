import type { ImageFormat } from "./contract.js";

/** In order of preference: encoding WebP takes a fraction of the time of AVIF. */
const offered: ReadonlyArray<{ readonly format: ImageFormat; readonly type: string }> = [
  { format: "webp", type: "image/webp" },
  { format: "avif", type: "image/avif" },
];

/**
 * The modern format with the highest weight in an `Accept` header; WebP when the weights are equal.
 *
 * Wildcards do not count: programs that cannot show WebP send them too. Undefined also for clients that prefer JPEG.
 */
export function acceptedFormat(accept: string | undefined): ImageFormat | undefined {
  const weights = weightsOf(accept ?? "");
  let best: { format: ImageFormat; weight: number } | undefined;
  for (const { format, type } of offered) {
    const weight = weights.get(type) ?? 0;
    if (weight > (best?.weight ?? 0)) best = { format, weight };
  }
  return best && best.weight >= (weights.get("image/jpeg") ?? 0) ? best.format : undefined;
}

/** `negotiator` tells an order, not the weights, and lets wildcards count: neither rule above can be told by it. */
function weightsOf(accept: string): Map<string, number> {
  const weights = new Map<string, number>();
  for (const range of accept.split(",")) {
    const [type = "", ...parameters] = range.split(";").map((part) => part.trim().toLowerCase());
    const weight = parameters.find((parameter) => parameter.startsWith("q="));
    const value = weight === undefined ? 1 : Number(weight.slice(2));
    weights.set(type, Number.isFinite(value) ? value : 0);
  }
  return weights;
}
