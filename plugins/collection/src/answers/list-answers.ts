import { createHash } from "node:crypto";
import { reply, type Reply, type Viewer } from "@longbox/sdk";
import type { Changes } from "../changes.js";
import type { SeriesRange, SeriesReading } from "../series/series-reading.js";
import type { SeriesSelection } from "../series/series-selection.js";
import { toSeriesRow, type SeriesRecord } from "../series/series-shape.js";

/** Up to so many series are read with one statement. */
const readAtOnce = 2000;

interface Answer {
  readonly generation: number;
  readonly bytes: Uint8Array;
  readonly validator: string;
  readonly total: number;
}

interface ListQuestion {
  readonly selection: SeriesSelection;
  readonly range: SeriesRange;
  readonly viewer: Viewer;
}

/** Complete answers of lists, cached until something changes. The content of a list depends on the viewer. */
export class ListAnswers {
  readonly #series: SeriesReading;
  readonly #changes: Changes;
  readonly #maxBytes: number;
  #kept = new Map<string, Answer>();
  #keptBytes = 0;

  constructor(series: SeriesReading, changes: Changes, options: { maxBytes: number }) {
    this.#series = series;
    this.#changes = changes;
    this.#maxBytes = options.maxBytes;
  }

  async answer(selection: SeriesSelection, range: SeriesRange, viewer: Viewer): Promise<Reply> {
    const key = JSON.stringify([selection, range, viewer.user.id, viewer.seesRestricted]);
    const kept = this.#kept.get(key);
    const answer =
      kept?.generation === this.#changes.generation ? kept : await this.#make(key, { selection, range, viewer });
    return reply.content(
      { kind: "bytes", bytes: answer.bytes, contentType: "application/json; charset=utf-8" },
      { validator: answer.validator, headers: { "X-Total-Count": String(answer.total) } },
    );
  }

  async #make(key: string, question: ListQuestion): Promise<Answer> {
    const { generation } = this.#changes;
    const total = await this.#series.count(question.selection, question.viewer);
    const bytes = await serialize(this.#rows(question, total));
    const answer = { generation, bytes, total, validator: createHash("sha1").update(bytes).digest("base64url") };
    this.#keep(key, answer);
    return answer;
  }

  async *#rows({ selection, range, viewer }: ListQuestion, total: number): AsyncGenerator<SeriesRecord[]> {
    if (range.limit !== undefined || total <= readAtOnce)
      return yield await this.#series.list(selection, range, viewer);
    let skip = range.offset ?? 0;
    for await (const rows of this.#series.listAll(selection, range.sort, viewer)) {
      yield rows.slice(skip);
      skip = Math.max(0, skip - rows.length);
    }
  }

  #keep(key: string, answer: Answer): void {
    this.#forget(key);
    if (answer.bytes.length > this.#maxBytes / 4) return;
    this.#kept.set(key, answer);
    this.#keptBytes += answer.bytes.length;
    for (const oldest of this.#kept.keys()) {
      if (this.#keptBytes <= this.#maxBytes) break;
      this.#forget(oldest);
    }
  }

  #forget(key: string): void {
    this.#keptBytes -= this.#kept.get(key)?.bytes.length ?? 0;
    this.#kept.delete(key);
  }
}

/** Other requests are answered between the parts. */
async function serialize(parts: AsyncIterable<readonly SeriesRecord[]>): Promise<Uint8Array> {
  const texts: string[] = [];
  for await (const rows of parts) {
    // Most lists have one part and need no pause, which costs a twentieth of such an answer.
    if (texts.length > 0) await new Promise<void>((resolve) => setImmediate(resolve));
    if (rows.length > 0) texts.push(rows.map((row) => JSON.stringify(toSeriesRow(row))).join(","));
  }
  return Buffer.from(`[${texts.join(",")}]`, "utf8");
}
