import type { StoredDocument } from "@longbox/sdk";
import { z } from "zod";

export const switchSchema = z.object({ paused: z.boolean().default(false) });

/** Whether the queue is paused; kept over restarts. */
export class Switch {
  constructor(
    private readonly document: StoredDocument<z.output<typeof switchSchema>>,
    private readonly changed: () => void,
  ) {}

  paused(): boolean {
    return this.document.read().paused;
  }

  async set(paused: boolean): Promise<boolean> {
    await this.document.update(() => ({ paused }));
    this.changed();
    return paused;
  }
}
