import type { Message } from "./message.js";

export type MessageTable = Readonly<Record<string, Message>>;

/**
 * Languages by their tags. `clientMessages` of `@longbox/sdk/client-build` puts those of the built client in its place.
 */
export const tables: Readonly<Record<string, () => Promise<{ readonly default: MessageTable }>>> = {};
