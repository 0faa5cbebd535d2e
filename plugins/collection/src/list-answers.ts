import { createHash } from "node:crypto";
import { reply, type Reply, type Viewer } from "@longbox/sdk";
import type { Changes } from "./changes.js";
import type { SeriesRange, SeriesReading } from "./series-reading.js";
import type { SeriesSelection } from "./series-selection.js";
import { toSeriesRow, type SeriesRecord } from "./series-shape.js";

interface Answer {
  readonly generation: number;
  readonly bytes: Uint8Array;
  readonly validator: string;
  readonly total: number;
}

/** Whole answers of lists, ready to send, kept until something changes. What a list shows of itself depends on who asks. */
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
    const answer = kept?.generation === this.#changes.generation ? kept : await this.#make(key, selection, range, viewer);
    return reply.content({ kind: "bytes", bytes: answer.bytes, contentType: "application/json; charset=utf-8" }, { validator: answer.validator, headers: { "X-Total-Count": String(answer.total) } });
  }

  async #make(key: string, selection: SeriesSelection, range: SeriesRange, viewer: Viewer): Promise<Answer> {
    const { generation } = this.#changes;
    const rows = await this.#series.list(selection, range, viewer);
    const whole = range.limit === undefined && (range.offset ?? 0) === 0;
    const total = whole ? rows.length : await this.#series.count(selection, viewer);
    const bytes = await serialize(rows);
    const answer = { generation, bytes, total, validator: createHash("sha1").update(bytes).digest("base64url") };
    this.#keep(key, answer);
    return answer;
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

/** A list of 150 000 series is tens of megabytes of text: others are answered between its parts. */
async function serialize(rows: readonly SeriesRecord[]): Promise<Uint8Array> {
  const parts: string[] = [];
  for (let start = 0; start < rows.length; start += 1000) {
    if (start > 0) await new Promise<void>((resolve) => setImmediate(resolve));
    parts.push(rows.slice(start, start + 1000).map((row) => JSON.stringify(toSeriesRow(row))).join(","));
  }
  return Buffer.from(`[${parts.join(",")}]`, "utf8");
}
