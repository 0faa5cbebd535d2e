import { existsSync, readdirSync, readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { request as httpRequest } from "node:http";
import { startKernelTestHost, type KernelTestHost } from "@longbox/kernel/testing";
import { startEmptyRegistry } from "@longbox/test/empty-registry";

const plugins = join(import.meta.dirname, "../../../plugins");

/** The ids of the plugins of this repository that are built. */
export function builtPlugins(): string[] {
  return readdirSync(plugins).filter((id) => {
    const file = join(plugins, id, "package.json");
    if (!existsSync(file) || !existsSync(join(plugins, id, "dist/index.js"))) return false;
    return (JSON.parse(readFileSync(file, "utf8")) as { longbox?: object }).longbox !== undefined;
  });
}

export interface Operation {
  readonly method: string;
  /** With parameters in braces. */
  readonly path: string;
  /** `public`, `authed` or a permission, as the description says. */
  readonly access: string;
  readonly description: any;
}

export interface WholeServer extends AsyncDisposable {
  readonly host: KernelTestHost;
  readonly document: any;
  readonly operations: readonly Operation[];
}

/** A server with every plugin of this repository. */
export async function startWholeServer(): Promise<WholeServer> {
  // Nothing of this asks another server: the community's lists are switched off.
  const settings = { lists: { catalogIndexUrl: "" } };
  const registry = await startEmptyRegistry();
  const home = await ownHome();
  const host = await startKernelTestHost({ plugins: builtPlugins(), settings, registry: registry.url });
  const { body: document } = await host.as("admin").get("/api/openapi.json");
  const operations = Object.entries(document.paths as Record<string, Record<string, any>>).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, description]) => ({
      method: method.toUpperCase(),
      path,
      access: description.security.length === 0 ? "public" : (description["x-permission"] ?? "authed"),
      description,
    })),
  );
  return {
    host,
    document,
    operations,
    async [Symbol.asyncDispose]() {
      await host[Symbol.asyncDispose]();
      await registry[Symbol.asyncDispose]();
      await home[Symbol.asyncDispose]();
    },
  };
}

/** A home folder for as long as the server runs: a test that calls every route has the sample comics drawn there. */
async function ownHome(): Promise<AsyncDisposable> {
  const before = process.env["HOME"];
  const home = await mkdtemp(join(tmpdir(), "longbox-whole-home-"));
  process.env["HOME"] = home;
  return {
    async [Symbol.asyncDispose]() {
      if (before === undefined) delete process.env["HOME"];
      else process.env["HOME"] = before;
      await rm(home, { recursive: true, force: true });
    },
  };
}

export interface PlainAnswer {
  readonly status: number;
  readonly headers: Record<string, string | string[] | undefined>;
  readonly text: string;
}

/** Asks for exactly this path. A stream that does not end is let go of after its headers. */
export function askPlainly(
  base: string,
  method: string,
  path: string,
  headers: Record<string, string> = {},
  body?: string | Uint8Array,
): Promise<PlainAnswer> {
  const { hostname, port } = new URL(base);
  const length: Record<string, string> =
    body === undefined ? {} : { "content-length": String(Buffer.byteLength(body)) };
  return new Promise((resolve, reject) => {
    const request = httpRequest(
      { hostname, port, method, path, agent: false, headers: { ...length, ...headers } },
      (response) => {
        const status = response.statusCode ?? 0;
        if (response.headers["content-type"]?.startsWith("text/event-stream")) {
          response.destroy();
          return resolve({ status, headers: response.headers, text: "" });
        }
        const chunks: Buffer[] = [];
        response.on("data", (chunk: Buffer) => chunks.push(chunk));
        response.on("error", reject);
        response.on("end", () =>
          resolve({ status, headers: response.headers, text: Buffer.concat(chunks).toString("utf8") }),
        );
      },
    );
    request.on("error", reject);
    request.end(body);
  });
}
