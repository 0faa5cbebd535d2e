import { createHash } from "node:crypto";
import PQueue from "p-queue";
import { ImageTypes, NotFound, type Content, type Fetch, type FileCache, type PluginSettings } from "@longbox/sdk";
import { keyFor } from "./audience.js";
import type { Audience } from "./contract.js";
import type { MetadataSettings } from "./settings.js";
import type { MetadataDatabase } from "./tables.js";
import { ProviderFailure } from "./upstream-errors.js";

export type ImageKind = "volume" | "issue" | "arc";
export interface FetchedImage {
  readonly bytes: Uint8Array;
  readonly contentType: string;
}

/** Limits the concurrent requests of a page full of covers. */
const fetchedAtOnce = 4;
const maxBytes = 20 * 1024 * 1024;

/** The provider's images: their addresses come from its answers, never from a client, and each is fetched once. */
export class Images {
  readonly #database: MetadataDatabase;
  readonly #cache: FileCache;
  readonly #fetch: Fetch;
  readonly #settings: PluginSettings<MetadataSettings>;
  readonly #queue = new PQueue({ concurrency: fetchedAtOnce });
  readonly #types = new ImageTypes();

  constructor(parts: {
    database: MetadataDatabase;
    cache: FileCache;
    fetch: Fetch;
    settings: PluginSettings<MetadataSettings>;
  }) {
    this.#database = parts.database;
    this.#cache = parts.cache;
    this.#fetch = parts.fetch;
    this.#settings = parts.settings;
  }

  /** @param viewer - Who asked for the answer that named the images; see {@link AskOptions.viewer} */
  async remember(
    kind: ImageKind,
    images: ReadonlyArray<{ readonly id: number; readonly url: string | undefined }>,
    viewer?: Audience,
  ): Promise<void> {
    const kept = keyFor(kind, viewer);
    const rows = images.flatMap(({ id, url }) => (url === undefined ? [] : [{ kind: kept, provider_id: id, url }]));
    for (let start = 0; start < rows.length; start += 500) {
      await this.#database
        .insertInto("image")
        .values(rows.slice(start, start + 500))
        .onConflict((conflict) =>
          conflict.columns(["kind", "provider_id"]).doUpdateSet((eb) => ({ url: eb.ref("excluded.url") })),
        )
        .execute();
    }
  }

  /** A text that changes when the image does; undefined when none is known. */
  async validator(kind: ImageKind, id: number, viewer?: Audience): Promise<string | undefined> {
    const url = await this.#find(keyFor(kind, viewer), id);
    return url === undefined ? undefined : cacheKey(keyFor(url, viewer));
  }

  /** The path of the kept image. @throws {NotFound} `metadata/no-image` @throws {UpstreamFailure} */
  async fetch(kind: ImageKind, id: number, viewer?: Audience): Promise<string> {
    const url = await this.#find(keyFor(kind, viewer), id);
    if (url === undefined) throw new NotFound("metadata/no-image", "No image is known.", { id });
    return await this.#cache.fetch(cacheKey(keyFor(url, viewer)), () => this.#queue.add(() => this.#download(url)));
  }

  /** The kept image as content. @throws {NotFound} `metadata/no-image` @throws {UpstreamFailure} */
  async read(
    kind: ImageKind,
    id: number,
    viewer?: Audience,
  ): Promise<{ readonly content: Content; readonly validator: string }> {
    const path = await this.fetch(kind, id, viewer);
    const validator = (await this.validator(kind, id, viewer)) ?? "";
    return { content: { kind: "file", path, contentType: await this.#types.of(path) }, validator };
  }

  async #find(kind: string, id: number): Promise<string | undefined> {
    const row = await this.#database
      .selectFrom("image")
      .select("url")
      .where("kind", "=", kind)
      .where("provider_id", "=", id)
      .executeTakeFirst();
    return row?.url;
  }

  async #download(address: string): Promise<Uint8Array> {
    const url = new URL(address);
    const { baseUrl, userAgent } = this.#settings.current;
    // The provider may live inside this network, and then its images do; images elsewhere must be public.
    const isProviders = URL.canParse(baseUrl) && new URL(baseUrl).origin === url.origin;
    let response: Response;
    try {
      response = await this.#fetch(url, {
        headers: { "user-agent": userAgent, accept: "image/*" },
        maxBytes,
        timeoutMs: 20_000,
        ...(isProviders ? {} : { publicOnly: true }),
      });
    } catch (fault) {
      throw new ProviderFailure("The provider's image cannot be fetched.", { cause: fault });
    }
    const type = response.headers.get("content-type") ?? "";
    if (!response.ok || !type.startsWith("image/") || type.startsWith("image/svg")) {
      await response.body?.cancel();
      throw new ProviderFailure(
        `The provider answers ${response.status} (${type || "no type"}) where an image should be.`,
      );
    }
    return await response.bytes();
  }
}

const cacheKey = (url: string) => createHash("sha256").update(url).digest("hex").slice(0, 40);
