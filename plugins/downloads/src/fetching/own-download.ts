import { mkdir, rename } from "node:fs/promises";
import { join } from "node:path";
import {
  isHostFailure,
  isLongboxError,
  pause,
  retryAfterSeconds,
  type PluginContext,
  type StreamedAnswer,
} from "@longbox/sdk";
import { cleanMessage } from "../clean-messages.js";
import type { DirectDownload, DownloadPlace } from "../contract.js";
import { ReleaseUnusable, TryLater } from "../errors.js";
import type { ByteRate } from "./byte-rate.js";
import { fileNameOf } from "./file-name.js";
import { receive } from "./receiving.js";
import { headOf, lengthOf, openPartial, verify } from "./partial-file.js";

export interface OwnDownloadParts {
  readonly context: Pick<PluginContext, "host">;
  readonly rate: ByteRate;
  readonly mostBytes: () => number;
  readonly freeBytes: () => Promise<number>;
}

export interface OwnDownloadOrder {
  readonly download: DirectDownload;
  /** The folder of this attempt alone. */
  readonly folder: string;
  readonly title: string;
  /** What the server said of the partial file before. */
  readonly validator: string | undefined;
  readonly signal: AbortSignal;
  /** Keeps the validator before bytes that belong to it are written. */
  keep(validator: string | undefined, totalBytes: number | undefined): Promise<void>;
  moved(doneBytes: number, totalBytes: number | undefined): void;
}

interface Answer {
  readonly response: StreamedAnswer;
  readonly from: number;
  readonly total: number | undefined;
}

const connectionsOfOne = 8;
const longestMs = 24 * 3_600_000;

/** Downloads a file by itself: in parts where it breaks off, checked before it is handed on. */
export class OwnDownload {
  constructor(private readonly parts: OwnDownloadParts) {}

  /**
   * @returns the path of the whole, verified file
   * @throws {ReleaseUnusable} it can never be used @throws {TryLater} the server, or this disk, cannot do it now
   */
  async fetch(order: OwnDownloadOrder): Promise<string> {
    await mkdir(order.folder, { recursive: true });
    const part = join(order.folder, "part");
    let last: unknown = new ReleaseUnusable("The source named no address of the file.");
    for (const place of order.download.places) {
      try {
        const headers = await this.#whole(place, part, order);
        await verify(part, order.download);
        const head = await headOf(part);
        const { fileName } = order.download;
        const whole = join(order.folder, fileNameOf({ fileName, title: order.title, headers, url: place.url, head }));
        await rename(part, whole);
        return whole;
      } catch (fault) {
        order.signal.throwIfAborted();
        last = fault;
      }
    }
    throw last;
  }

  /** Asks again where the connection breaks off, for as long as every attempt brings something. */
  async #whole(place: DownloadPlace, part: string, order: OwnDownloadOrder): Promise<Headers> {
    let validator = order.validator;
    for (let attempt = 1; ; attempt += 1) {
      const before = await lengthOf(part);
      const answer = await this.#ask(place, { before, validator }, order.signal);
      if (answer === "whole") return new Headers();
      validator = validatorOf(answer.response);
      const broken = await this.#receive(answer, { part, validator }, order);
      if (broken === undefined) return answer.response.headers;
      if (attempt >= connectionsOfOne || (await lengthOf(part)) <= before)
        throw new TryLater(`The connection broke off: ${cleanMessage(broken)}`, { afterMs: 60_000, cause: broken });
      await pause(Math.min(5_000, 250 * attempt), order.signal);
    }
  }

  async #ask(
    place: DownloadPlace,
    partial: { readonly before: number; readonly validator: string | undefined },
    signal: AbortSignal,
  ): Promise<Answer | "whole"> {
    const { before, validator } = partial;
    const resumes = before > 0 && validator !== undefined;
    const headers = {
      ...place.headers,
      ...(resumes && { range: `bytes=${before}-`, "if-range": validator }),
    };
    const response = await this.parts.context
      .host(place.url)
      .stream(place.url, {
        headers,
        signal,
        urgency: "background",
        timeoutMs: longestMs,
        maxBytes: this.parts.mostBytes(),
        ...(!isConfigured(place) && { publicOnly: true }),
      })
      .catch((fault: unknown) => refused(fault, signal));
    if (response.status === 416 && resumes) {
      response.discard();
      if (totalOf(response) === before) return "whole";
      return this.#ask(place, { before: 0, validator: undefined }, signal);
    }
    return readAnswer(response, resumes ? before : 0);
  }

  /** @returns what broke the connection; undefined where everything came */
  async #receive(
    { response, from, total }: Answer,
    { part, validator }: { readonly part: string; readonly validator: string | undefined },
    order: OwnDownloadOrder,
  ): Promise<unknown> {
    if (total !== undefined && total - from > (await this.parts.freeBytes())) {
      response.discard();
      throw new TryLater("There is not enough space on the disk.", { afterMs: 600_000, counts: false });
    }
    // Bytes of another version of the file go before anything else is written.
    await using file = await openPartial(part, from);
    await order.keep(validator, total);
    let done = from;
    const moved = (now: number) => order.moved((done = now), total);
    try {
      const { rate } = this.parts;
      await receive(response, { file, from, rate, signal: order.signal, moved });
    } catch (fault) {
      order.signal.throwIfAborted();
      if (isSpace(fault)) throw new TryLater("The disk is full.", { afterMs: 600_000, counts: false, cause: fault });
      if (isLongboxError(fault) && fault.code === "kernel/answer-too-large")
        throw new ReleaseUnusable("The file is larger than a release may be.", fault);
      return fault;
    }
    return total !== undefined && done < total ? new Error("it ended before all had come.") : undefined;
  }
}

function isConfigured({ url, configuredUrl }: DownloadPlace): boolean {
  return configuredUrl !== undefined && URL.canParse(url) && new URL(url).origin === new URL(configuredUrl).origin;
}

function refused(fault: unknown, signal: AbortSignal): never {
  signal.throwIfAborted();
  if (isLongboxError(fault)) {
    const guarded = fault.code === "kernel/address-not-public" || fault.code === "kernel/redirect-refused";
    if (guarded || fault.code === "kernel/answer-too-large") throw new ReleaseUnusable(cleanMessage(fault), fault);
    const waits = fault.code === "kernel/host-resting" || fault.code === "kernel/host-budget-spent";
    const afterMs = (fault.retryAfterSeconds ?? 60) * 1000;
    throw new TryLater(cleanMessage(fault), { afterMs, counts: !waits && isHostFailure(fault), cause: fault });
  }
  throw new ReleaseUnusable(`It cannot be fetched: ${cleanMessage(fault)}`, fault);
}

function readAnswer(response: StreamedAnswer, asked: number): Answer {
  const { status } = response;
  if (status === 200) return { response, from: 0, total: lengthSaid(response) };
  const range = /^bytes (\d+)-\d+\/(\d+|\*)$/u.exec(response.headers.get("content-range") ?? "");
  if (status === 206 && range && Number(range[1]) === asked)
    return { response, from: asked, total: range[2] === "*" ? undefined : Number(range[2]) };
  response.discard();
  if (status === 429 || status >= 500) {
    const seconds = retryAfterSeconds(response.headers.get("retry-after")) ?? 60;
    throw new TryLater(`The server answered ${status}.`, { afterMs: seconds * 1000 });
  }
  throw new ReleaseUnusable(
    status === 206 ? "The server sent another part of the file." : `The server answered ${status}.`,
  );
}

/** Only what compares bytes: a weak ETag does not. */
function validatorOf({ headers }: StreamedAnswer): string | undefined {
  const etag = headers.get("etag");
  if (etag?.startsWith('"')) return etag;
  return etag === null ? (headers.get("last-modified") ?? undefined) : undefined;
}

function lengthSaid({ headers }: StreamedAnswer): number | undefined {
  const said = headers.get("content-length");
  return said !== null && !headers.has("content-encoding") && /^\d{1,15}$/u.test(said) ? Number(said) : undefined;
}

function totalOf({ headers }: StreamedAnswer): number | undefined {
  const [, total] = /^bytes \*\/(\d{1,15})$/u.exec(headers.get("content-range") ?? "") ?? [];
  return total === undefined ? undefined : Number(total);
}

const isSpace = (fault: unknown) =>
  fault instanceof Error && "code" in fault && (fault.code === "ENOSPC" || fault.code === "EDQUOT");
