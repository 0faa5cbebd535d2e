import { readdirSync, statSync } from "node:fs";
import { join, posix } from "node:path";
import { releasable, type Releasable, type Reply } from "@longbox/sdk";
import sirv from "sirv";
import { asksForPage } from "../answering/error-page.js";
import { apiHeaders, pagePolicy } from "../answering/headers.js";
import { Replies } from "../answering/sending-replies.js";
import type { Exchange } from "../routing/route-call.js";
import { BasedPage } from "./based-page.js";
import type { Step } from "./carried.js";
import { inject, injectable } from "../../injection.js";

type StaticFiles = ReturnType<typeof sirv>;

/**
 * The `/plugins/<id>/<hash>/…` folder of one version of a plugin: only the folders that hold its declared client files.
 */
interface PluginFiles {
  /** The folders inside the package, with a slash at the end, and what serves each. */
  readonly folders: ReadonlyArray<{ readonly prefix: string; readonly serve: StaticFiles }>;
}

interface Site {
  readonly serve: StaticFiles;
  /** Its index.html, for browsers that reach this server below a prefix. */
  readonly page: BasedPage;
}

/** Serves files that are no routes: the web UI at `/`, and what plugins contribute to it under `/plugins/`. */
@injectable()
export class FrontDoor {
  readonly #plugins = new Map<string, PluginFiles>();
  #site: Site | undefined;

  constructor(@inject(Replies) private readonly replies: Replies) {}

  /**
   * Serves a folder at `/`, with its index.html for every page that nothing else claims. A later one takes its place.
   */
  site(folder: string): Releasable {
    const serve = sirv(folder, { etag: true, gzip: true, brotli: true, setHeaders: siteHeaders });
    const site = { serve, page: new BasedPage(join(folder, "index.html"), pageHeaders) };
    this.#site = site;
    return releasable(() => {
      if (this.#site === site) this.#site = undefined;
    });
  }

  /**
   * Serves the client files of one version of a plugin at `/plugins/<id>/<hash>/<path inside the package>`.
   * @param place - `<id>/<hash>`
   * @param files - The manifest's `client.js` and `client.css`; everything in their folders can be had, nothing else
   */
  assets(place: string, packageFolder: string, files: readonly string[]): Releasable {
    const folders = [...new Set(files.map((file) => posix.dirname(posix.normalize(file))))].filter(
      (folder) => folder !== ".",
    );
    const served: PluginFiles = {
      folders: folders.map((folder) => ({ prefix: `/${folder}/`, serve: immutableFiles(join(packageFolder, folder)) })),
    };
    this.#plugins.set(place, served);
    return releasable(() => {
      if (this.#plugins.get(place) === served) this.#plugins.delete(place);
    });
  }

  /** Answers with a file, where the path is that of one. */
  readonly serve: Step = (carried, next) => {
    const served = this.#serves(carried, carried.path);
    return typeof served === "boolean" ? (served ? undefined : next(carried)) : served;
  };

  /** Whether a browser goes to a page of the UI, and there is no UI. */
  lacksPage(exchange: Exchange, path: string): boolean {
    const mayBePage = mayBeFile(exchange, path) && !path.startsWith("/plugins/");
    return this.#site === undefined && mayBePage && isPage(exchange, path);
  }

  #serves(exchange: Exchange, path: string): Served {
    if (!mayBeFile(exchange, path)) return false;
    return path.startsWith("/plugins/") ? this.#servePlugin(exchange, path) : this.#serveSite(exchange, path);
  }

  #servePlugin(exchange: Exchange, path: string): boolean {
    const [, , id, hash] = path.split("/");
    const files = this.#plugins.get(`${id}/${hash}`);
    const inside = path.slice(`/plugins/${id}/${hash}`.length);
    const folder = files?.folders.find(({ prefix }) => inside.startsWith(prefix));
    return folder !== undefined && hand(exchange, inside.slice(folder.prefix.length - 1), folder.serve);
  }

  async #sendPage(exchange: Exchange, page: Reply): Promise<void> {
    await this.replies.send(exchange, page);
  }

  /** A page of the UI that has no file of its own is index.html, but only for a browser that asks for a page. */
  #serveSite(exchange: Exchange, path: string): Served {
    if (this.#site === undefined) return false;
    const { serve, page } = this.#site;
    const { prefix } = exchange.client;
    const isOwnPage = prefix !== "" && indexPaths.has(path);
    if (!isOwnPage && hand(exchange, path, serve)) return true;
    if (!isOwnPage && !isPage(exchange, path)) return false;
    return prefix === "" ? hand(exchange, "/", serve) : this.#sendPage(exchange, page.below(prefix));
  }
}

/** Whether there was something to send; a promise settles when it has been sent. */
type Served = boolean | Promise<void>;

const indexPaths = new Set(["/", "/index.html"]);

function mayBeFile({ request: { method } }: Exchange, path: string): boolean {
  return (method === "GET" || method === "HEAD") && path !== "/api" && !path.startsWith("/api/");
}

const isPage = (exchange: Exchange, path: string) => asksForPage(exchange) && !/\.[^/]*$/.test(path);

/** sirv reads the path from where polka leaves it. */
function hand(exchange: Exchange, path: string, serve: StaticFiles): boolean {
  const { request, response, id } = exchange;
  let missed = false;
  Object.assign(request, { _parsedUrl: { raw: path, pathname: path, path, search: "", query: {} }, url: path });
  response.setHeader("X-Request-Id", id);
  serve(request, response, () => {
    missed = true;
    response.removeHeader("X-Request-Id");
  });
  return !missed;
}

function immutableFiles(folder: string): StaticFiles {
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory() || readdirSync(folder).length === 0)
    return (_request, _response, next) => next?.();
  return sirv(folder, {
    etag: true,
    gzip: true,
    brotli: true,
    immutable: true,
    maxAge: 31_536_000,
    extensions: [],
    setHeaders: assetHeaders,
  });
}

function assetHeaders(response: Exchange["response"]): void {
  for (const [name, value] of Object.entries(apiHeaders)) response.setHeader(name, value);
}

const pageHeaders = {
  "Content-Security-Policy": pagePolicy,
  "X-Frame-Options": "DENY",
  "Cache-Control": "no-cache",
};

function siteHeaders(response: Exchange["response"], pathname: string): void {
  response.setHeader("X-Content-Type-Options", "nosniff");
  response.setHeader("Referrer-Policy", "same-origin");
  response.setHeader("Cross-Origin-Resource-Policy", "same-origin");
  if (/\.(?!html?$)\w+$/.test(pathname)) {
    // The build puts the hash of each file's content into its name.
    response.setHeader(
      "Cache-Control",
      /[.-][\w-]{8,}\.\w+$/.test(pathname) ? "public, max-age=31536000, immutable" : "no-cache",
    );
    return;
  }
  for (const [name, value] of Object.entries(pageHeaders)) response.setHeader(name, value);
}
