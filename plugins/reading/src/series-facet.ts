import type { CollectionContract, SeriesFacet } from "@longbox/collection/contract";
import type { Viewer } from "@longbox/sdk";
import type { ProgressRecords } from "./keeping/progress-records.js";
import { WrongField } from "./reading-errors.js";

const values = ["unread", "reading", "read"] as const;
type Value = (typeof values)[number];
const seriesAtOnce = 1000;

/**
 * Narrows lists of series by what the viewer has read of them: `GET /api/collection?facet={"reading":"unread"}`. It
 * uses the series of the last reading, which may be outdated for a moment after works were merged.
 */
export class ReadingFacet implements SeriesFacet {
  readonly name = "reading";

  /** @param progress - Reads all progress of a user */
  constructor(
    private readonly library: CollectionContract,
    private readonly progress: ProgressRecords,
  ) {}

  /** @throws {WrongField} */
  async findSeries(value: unknown, viewer: Viewer): Promise<readonly number[]> {
    const wanted = check(value);
    if (wanted === "unread") return await this.#unread(viewer);
    const touched = await this.progress.countBySeries(viewer.user.id);
    const owned = await this.library.countOwned(
      touched.map(({ seriesId }) => seriesId),
      viewer,
    );
    return touched
      .filter(({ seriesId, completed }) => {
        const all = owned.get(seriesId) ?? 0;
        return all > 0 && completed >= all === (wanted === "read");
      })
      .map(({ seriesId }) => seriesId);
  }

  /** Most series are unread: those that are not are fewer. @throws {WrongField} */
  async findOthers(value: unknown, viewer: Viewer): Promise<readonly number[] | undefined> {
    if (check(value) !== "unread") return undefined;
    return (await this.progress.countBySeries(viewer.user.id)).map(({ seriesId }) => seriesId);
  }

  async #unread(viewer: Viewer): Promise<number[]> {
    const others = new Set(await this.findOthers("unread", viewer));
    const found: number[] = [];
    for (let offset = 0; ; offset += seriesAtOnce) {
      const { items } = await this.library.listSeries({ limit: seriesAtOnce, offset }, viewer);
      const ids = items.map(({ id }) => id).filter((id) => !others.has(id));
      const owned = await this.library.countOwned(ids, viewer);
      found.push(...ids.filter((id) => (owned.get(id) ?? 0) > 0));
      if (items.length < seriesAtOnce) return found;
    }
  }
}

function check(value: unknown): Value {
  const found = values.find((known) => known === value);
  if (!found) throw new WrongField("facet", `reading must be one of ${values.join(", ")}`);
  return found;
}
