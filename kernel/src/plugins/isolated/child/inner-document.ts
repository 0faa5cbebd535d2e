import type { StoredDocument } from "@longbox/sdk";
import type { z } from "zod";
import { beginning } from "../../../storage/documents/beginning.js";
import type { Channel } from "../wire/channel.js";

interface ToldDocument {
  readonly text: string | undefined;
  /** Stores a text if the former one is still there. @returns the text that is there otherwise */
  readonly replace: (
    former: string | undefined,
    next: string,
  ) => Promise<{ readonly stored: boolean; readonly text: string | undefined }>;
}

/** A document that the kernel keeps. Its schema is the plugin's, so it is read and changed here. */
export async function openInnerDocument<T>(
  channel: Channel,
  name: string,
  schema: z.ZodType<T>,
): Promise<StoredDocument<T>> {
  const told = (await channel.call("document", [name])) as ToldDocument;
  const parse = (stored: string | undefined): T =>
    stored === undefined ? beginning(name, schema) : schema.parse(JSON.parse(stored));
  let text = told.text;
  let current = parse(text);
  let turn: Promise<unknown> = Promise.resolve();
  const update = async (change: (current: T) => T): Promise<T> => {
    for (;;) {
      const next = JSON.stringify(schema.parse(change(current)));
      const { stored, text: present } = await told.replace(text, next);
      text = stored ? next : present;
      current = parse(text);
      if (stored) return current;
    }
  };
  return {
    read: () => current,
    update(change) {
      const done = turn.then(() => update(change));
      // The next change does not depend on this one having worked.
      turn = done.catch(() => undefined);
      return done;
    },
  };
}
