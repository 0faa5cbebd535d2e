import { Conflict, isLongboxError, type Answer, type Fetch } from "@longbox/sdk";
import { z } from "zod";
import { PluginHostTuning } from "../host-tuning.js";
import { packageLimits, type PackageLimits } from "./package-limits.js";
import { PackageRefused } from "./refusals.js";
import { inject, injectable } from "../../injection.js";
import { RegistryUrl, Stopping } from "../../kernel-tokens.js";
import { RedirectRefused } from "../../outgoing/outgoing-errors.js";
import { Outgoing } from "../../outgoing/outgoing.js";

const maxDocumentBytes = 32 * 1024 * 1024;
/** A package of 1,000 versions with 300 values each. */
const maxDocumentValues = 300_000;

const versionSchema = z.object({
  name: z.string(),
  version: z.string(),
  description: z.string().optional(),
  keywords: z.array(z.string()).optional(),
  longbox: z.unknown().optional(),
  engines: z.unknown().optional(),
  /** Why its author advises against it; npm writes false where a warning was taken back. */
  deprecated: z.union([z.string().max(2_000), z.literal(false)]).optional(),
  _npmUser: z.object({ name: z.string().max(200) }).optional(),
  maintainers: z
    .array(z.union([z.string().max(200), z.object({ name: z.string().max(200) })]))
    .max(100)
    .optional(),
  dist: z.object({
    tarball: z.string(),
    integrity: z.string().optional(),
    signatures: z
      .array(z.object({ keyid: z.string(), sig: z.string() }))
      .max(10)
      .optional(),
    /** Where the registry keeps statements on how the package was built. */
    attestations: z.unknown().optional(),
  }),
});

const packumentSchema = z.object({
  name: z.string(),
  "dist-tags": z.record(z.string(), z.string()).default({}),
  versions: z.record(z.string(), versionSchema),
  /** When each version was published. */
  time: z.record(z.string(), z.string().max(40)).optional(),
});

const searchSchema = z.object({
  objects: z.array(z.object({ package: z.object({ name: z.string(), keywords: z.array(z.string()).default([]) }) })),
});

const keysSchema = z.object({
  keys: z.array(z.object({ keyid: z.string(), key: z.string(), expires: z.string().max(40).nullish() })).max(100),
});
const attestationsSchema = z.object({
  attestations: z.array(z.object({ predicateType: z.string().max(500), bundle: z.unknown() })).max(20),
});

/** A public key of the registry: DER in base64. It signs nothing after `expires`. */
export type RegistryKey = z.output<typeof keysSchema>["keys"][number];

/** Who published a version, as the registry says; undefined when it does not say. */
export function publishedByOf({ _npmUser: user, maintainers = [] }: PublishedVersion): string | undefined {
  if (user) return user.name;
  const names = maintainers.map((maintainer) => (typeof maintainer === "string" ? maintainer : maintainer.name));
  return names.length > 0 ? names.sort().join(", ") : undefined;
}

export type PublishedVersion = z.output<typeof versionSchema>;
export type Packument = z.output<typeof packumentSchema>;

/** A registry, which is not trusted: every answer is bounded and validated. */
@injectable()
export class RegistryClient {
  readonly url: string;
  readonly #fetch: Fetch;
  readonly #limits: Pick<PackageLimits, "documentMs" | "pingMs" | "tarballMs">;

  constructor(
    @inject(RegistryUrl) url: string,
    @inject(Outgoing) outgoing: Outgoing,
    @inject(Stopping) stopping: AbortSignal,
    @inject(PluginHostTuning) tuning: PluginHostTuning,
  ) {
    this.#limits = { ...packageLimits, ...tuning.packages };
    this.url = url.endsWith("/") ? url : url + "/";
    this.#fetch = outgoing.until(stopping).fetch;
  }

  /** Everything that the registry says of a package. */
  async packument(name: string): Promise<Packument> {
    const answer = await this.#document(encodeURIComponent(name).replace(/^%40/, "@"), packumentSchema, name);
    if (answer.name !== name)
      throw new PackageRefused(
        "kernel/wrong-package",
        `The registry answered with "${answer.name}" when asked for "${name}".`,
      );
    return answer;
  }

  /** Whether the registry holds a package. @throws {PackageRefused} when it does not answer */
  async has(name: string): Promise<boolean> {
    try {
      await this.packument(name);
      return true;
    } catch (failure) {
      if (isLongboxError(failure) && failure.code === "kernel/package-not-found") return false;
      throw failure;
    }
  }

  /**
   * Names of packages that carry a keyword. npm's registry searches by keyword; Verdaccio looks at names only, and
   * lists all its packages when the search is empty.
   */
  async search(keyword: string): Promise<string[]> {
    const byKeyword = await this.#searchFor(`keywords:${keyword}`);
    // Not every registry can list all packages; then the answer by keyword, which is empty, counts.
    const found = byKeyword.length > 0 ? byKeyword : await this.#searchFor("").catch(() => []);
    return found.filter((one) => one.keywords.includes(keyword)).map((one) => one.name);
  }

  async #searchFor(text: string): Promise<Array<{ name: string; keywords: string[] }>> {
    const answer = await this.#document(
      `-/v1/search?text=${encodeURIComponent(text)}&size=1000`,
      searchSchema,
      "search",
    );
    return answer.objects.map((found) => found.package);
  }

  /** The keys with which the registry signs packages. */
  async keys(): Promise<readonly RegistryKey[]> {
    return (await this.#document("-/npm/v1/keys", keysSchema, "its keys")).keys;
  }

  /** The statements on a version that the registry keeps at an address of its own. */
  async attestations(url: string): Promise<z.output<typeof attestationsSchema>["attestations"]> {
    const wanted = this.#own(url, "kernel/attestations-elsewhere", "keeps the statements on");
    const path = wanted.href.slice(new URL(this.url).origin.length + 1);
    const document = await this.#documentAt(wanted.href, attestationsSchema, path);
    return document.attestations;
  }

  /** Whether the registry answers at all. */
  async reachable(): Promise<boolean> {
    try {
      const response = await this.#get(`${this.url}-/ping`, {
        timeoutMs: this.#limits.pingMs,
        maxBytes: maxDocumentBytes,
      });
      await response.body?.cancel();
      return true;
    } catch {
      return false;
    }
  }

  /** The bytes of a tarball, which must come from this very registry. The reader holds them to a limit. */
  async tarball(url: string): Promise<ReadableStream<Uint8Array>> {
    const wanted = this.#own(url, "kernel/tarball-elsewhere", "sends");
    const response = await this.#get(wanted.href, { timeoutMs: this.#limits.tarballMs, maxBytes: Infinity });
    if (!response.ok || !response.body)
      throw new PackageRefused(
        "kernel/registry-broken",
        `The registry answered ${response.status} for ${wanted.pathname}.`,
      );
    return response.body;
  }

  /**
   * Puts a version into the registry, in the form of `npm publish`.
   * @throws {PackageRefused} `kernel/registry-refused`
   */
  async publish(name: string, document: unknown, token: string): Promise<void> {
    const response = await this.#fetch(this.url + encodeURIComponent(name), {
      method: "PUT",
      headers: { "content-type": "application/json", authorization: `Bearer ${token}` },
      body: JSON.stringify(document),
      redirects: 0,
      timeoutMs: this.#limits.tarballMs,
    });
    if (response.ok) return void (await response.body?.cancel());
    const told = refusalIn((await response.text()).slice(0, 300));
    if (response.status === 409)
      throw new Conflict(
        "kernel/version-published",
        `The registry has this version of "${name}" already. Raise "version" in its package.json.`,
        { package: name },
      );
    throw new PackageRefused(
      "kernel/registry-refused",
      `The registry answered ${response.status} when "${name}" was published: ${told}`,
    );
  }

  /** An address that the registry names and that must be at this very registry. */
  #own(url: string, code: "kernel/tarball-elsewhere" | "kernel/attestations-elsewhere", verb: string): URL {
    const wanted = parseUrl(url);
    if (wanted?.origin === new URL(this.url).origin) return wanted;
    throw new PackageRefused(code, `The registry ${verb} the package at another host: ${url}`);
  }

  #document<S extends z.ZodType>(path: string, schema: S, what: string): Promise<z.output<S>> {
    return this.#documentAt(this.url + path, schema, what);
  }

  async #documentAt<S extends z.ZodType>(url: string, schema: S, what: string): Promise<z.output<S>> {
    const response = await this.#get(url, { timeoutMs: this.#limits.documentMs, maxBytes: maxDocumentBytes });
    if (response.status === 404)
      throw new PackageRefused("kernel/package-not-found", `The registry has no package "${what}".`);
    if (!response.ok)
      throw new PackageRefused("kernel/registry-broken", `The registry answered ${response.status} for "${what}".`);
    return this.#read(response, schema, what);
  }

  async #read<S extends z.ZodType>(response: Answer, schema: S, what: string): Promise<z.output<S>> {
    try {
      return await response.json(schema, { maxValues: maxDocumentValues });
    } catch (cause) {
      const details = isLongboxError(cause) ? cause.details : undefined;
      const message = `The registry's answer for "${what}" cannot be read, or is not a registry's.`;
      throw new PackageRefused("kernel/registry-broken", message, { details, cause });
    }
  }

  async #get(url: string, limits: { timeoutMs: number; maxBytes: number }): Promise<Answer> {
    try {
      return await this.#fetch(url, {
        ...limits,
        redirects: 0,
        headers: { accept: "application/json, application/octet-stream" },
      });
    } catch (cause) {
      if (cause instanceof RedirectRefused)
        throw new PackageRefused(
          "kernel/registry-redirects",
          `The registry at ${this.url} redirects requests; configure the address it redirects to.`,
          { cause },
        );
      throw new PackageRefused("kernel/registry-unreachable", `The registry at ${this.url} does not answer.`, {
        cause,
      });
    }
  }
}

function parseUrl(text: string): URL | undefined {
  return URL.canParse(text) ? new URL(text) : undefined;
}

/** The sentence in a refusal of a registry, which is JSON with a field `error`; otherwise its text. */
function refusalIn(text: string): string {
  try {
    const { error } = JSON.parse(text) as { error?: unknown };
    return typeof error === "string" ? error : text;
  } catch {
    return text;
  }
}
