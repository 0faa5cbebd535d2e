import { createHash } from "node:crypto";
import { isIP } from "node:net";
import PQueue from "p-queue";
import { NotFound, type FileCache, type PluginSettings } from "@longbox/sdk";
import type { MetadataSettings } from "./settings.js";
import type { MetadataDatabase } from "./tables.js";
import { ProviderFailure } from "./upstream-errors.js";

export type ImageKind = "volume" | "issue" | "arc";
export interface FetchedImage {
  readonly bytes: Uint8Array;
  readonly contentType: string;
}

/** A page full of covers must not become as many requests at once. */
const fetchedAtOnce = 4;
const maxBytes = 20 * 1024 * 1024;

/** The provider's images: their addresses come from its answers, never from a client, and each is fetched once. */
export class Images {
  readonly #database: MetadataDatabase;
  readonly #cache: FileCache;
  readonly #fetch: typeof fetch;
  readonly #settings: PluginSettings<MetadataSettings>;
  readonly #queue = new PQueue({ concurrency: fetchedAtOnce });

  constructor(parts: { database: MetadataDatabase; cache: FileCache; fetch: typeof fetch; settings: PluginSettings<MetadataSettings> }) {
    this.#database = parts.database;
    this.#cache = parts.cache;
    this.#fetch = parts.fetch;
    this.#settings = parts.settings;
  }

  async remember(kind: ImageKind, images: ReadonlyArray<{ readonly id: number; readonly url: string | undefined }>): Promise<void> {
    const rows = images.flatMap(({ id, url }) => (url === undefined ? [] : [{ kind, provider_id: id, url }]));
    for (let start = 0; start < rows.length; start += 500) {
      await this.#database.insertInto("image").values(rows.slice(start, start + 500))
        .onConflict((conflict) => conflict.columns(["kind", "provider_id"]).doUpdateSet((eb) => ({ url: eb.ref("excluded.url") }))).execute();
    }
  }

  /** A text that changes when the image does; undefined when none is known. */
  async validator(kind: ImageKind, id: number): Promise<string | undefined> {
    const url = await this.#find(kind, id);
    return url === undefined ? undefined : cacheKey(url);
  }

  /** The path of the kept image. @throws {NotFound} `metadata/no-image` @throws {UpstreamFailure} */
  async fetch(kind: ImageKind, id: number): Promise<string> {
    const url = await this.#find(kind, id);
    if (url === undefined) throw new NotFound("metadata/no-image", "No image is known.", { id });
    return await this.#cache.fetch(cacheKey(url), () => this.#queue.add(() => this.#download(url)));
  }

  async #find(kind: ImageKind, id: number): Promise<string | undefined> {
    const row = await this.#database.selectFrom("image").select("url").where("kind", "=", kind).where("provider_id", "=", id).executeTakeFirst();
    return row?.url;
  }

  async #download(address: string): Promise<Uint8Array> {
    const url = new URL(address);
    if (isInside(url.hostname) && url.hostname !== new URL(this.#settings.current.baseUrl).hostname) throw new ProviderFailure("The provider names an image inside this network.");
    let response: Response;
    try {
      response = await this.#fetch(url, { headers: { "user-agent": this.#settings.current.userAgent, accept: "image/*" }, redirect: "error", signal: AbortSignal.timeout(20_000) });
    } catch (fault) {
      throw new ProviderFailure("The provider's image cannot be fetched.", { cause: fault });
    }
    const type = response.headers.get("content-type") ?? "";
    if (!response.ok || !type.startsWith("image/") || type.startsWith("image/svg")) {
      await response.body?.cancel();
      throw new ProviderFailure(`The provider answers ${response.status} (${type || "no type"}) where an image should be.`);
    }
    return await readBounded(response);
  }
}

const cacheKey = (url: string) => createHash("sha256").update(url).digest("hex").slice(0, 40);

/** Names and numbers of this machine and of private networks. */
function isInside(host: string): boolean {
  const bare = host.replace(/^\[|\]$/g, "").toLowerCase();
  if (bare === "localhost" || bare.endsWith(".localhost") || bare.endsWith(".local") || bare.endsWith(".internal")) return true;
  if (isIP(bare) === 4) return /^(?:0|10|127|169\.254|192\.168|172\.(?:1[6-9]|2\d|3[01])|100\.(?:6[4-9]|[7-9]\d|1[01]\d|12[0-7]))\./.test(bare);
  return isIP(bare) === 6 && (bare === "::1" || bare === "::" || /^(?:f[cd]|fe[89ab]|::ffff:)/.test(bare));
}

async function readBounded(response: Response): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.length;
    if (size > maxBytes) throw new ProviderFailure("The provider's image is too large.");
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
