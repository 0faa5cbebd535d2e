import type { FileFormat } from "@longbox/files/contract";
import type { Releasable } from "@longbox/sdk";

/** The formats that are offered at present. Those that stay the same are left alone: work on their files goes on. */
export class OfferedFormats {
  readonly #offered = new Map<string, Releasable>();

  constructor(private readonly offer: (format: FileFormat) => Releasable) {}

  async update(formats: readonly FileFormat[]): Promise<void> {
    const gone = [...this.#offered.keys()].filter((id) => !formats.some((format) => format.id === id));
    for (const format of formats) if (!this.#offered.has(format.id)) this.#offered.set(format.id, this.offer(format));
    for (const id of gone) {
      const offered = this.#offered.get(id);
      this.#offered.delete(id);
      await offered?.release();
    }
  }
}
