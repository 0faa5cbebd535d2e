import { z } from "zod";

const tokenSchema = z.object({
  device: z.number().int(),
  /** The last answer that the device has read. */
  sequence: z.number().int().nonnegative(),
});
const mostCharacters = 4096;

/** What a device sends back with its next request, in `x-kobo-synctoken`. */
export const writeToken = (device: number, sequence: number): string =>
  Buffer.from(JSON.stringify({ device, sequence })).toString("base64");

/**
 * The last answer that the device has read. 0 for a device that synchronises for the first time, was reset, or comes
 * from another server or from the shop.
 */
export function readToken(
  text: string | undefined,
  device: { readonly id: number; readonly sequence: number },
): number {
  if (text === undefined || text.length > mostCharacters) return 0;
  const parsed = tokenSchema.safeParse(parse(Buffer.from(text, "base64").toString("utf8")));
  if (!parsed.success || parsed.data.device !== device.id || parsed.data.sequence > device.sequence) return 0;
  return parsed.data.sequence;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // The shop's tokens have another form; such a device is sent everything.
    return undefined;
  }
}
