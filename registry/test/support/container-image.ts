import { execFile } from "node:child_process";
import { cp, mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { promisify } from "node:util";
import type { packDistribution } from "@longbox/registry";
import { extract } from "tar";
import { addNpm, makeBase } from "./container-base.js";

type Distribution = Awaited<ReturnType<typeof packDistribution>>;

const run = promisify(execFile);
const checkout = join(import.meta.dirname, "..", "..", "..");
/** The Dockerfile, compose.yaml, and what they need. */
export const recipe = join(checkout, "registry", "longbox", "container");

export interface Image {
  /** Its files. */
  readonly root: string;
  /** Folders of this machine that are shown in it, by their path in it. */
  readonly shown: Readonly<Record<string, string>>;
  readonly config: {
    readonly User: string;
    readonly Env: readonly string[];
    readonly Entrypoint: readonly string[];
    readonly Healthcheck: { readonly Test: readonly string[] };
  };
}

/** Builds the Dockerfile with buildah, on a base of this machine's programs. */
export async function buildImage(folder: string, { manifest, tarball }: Distribution): Promise<Image> {
  const store = ["--root", join(folder, "store"), "--runroot", join(folder, "run"), "--storage-driver", "vfs"];
  const buildah = async (...parameters: string[]) =>
    (await run("buildah", [...store, ...parameters], { maxBuffer: 2 ** 26 })).stdout.trim();
  await buildah("from", "--name", "base", "scratch");
  const base = await buildah("mount", "base");
  await makeBase(base);
  await addNpm(base);
  await buildah("commit", "--quiet", "--disable-compression", "base", "base");
  const context = join(folder, "context");
  await cp(recipe, context, { recursive: true, filter: (path) => !path.endsWith(".tgz") });
  await writeFile(join(context, `longbox-${manifest.version}.tgz`), tarball);
  const options = ["--isolation", "chroot", "--format", "docker", "--disable-compression", "--tag", "longbox"];
  await buildah("build", ...options, "--build-arg", "NODE_IMAGE=localhost/base", context);
  const { Docker } = JSON.parse(await buildah("inspect", "--type", "image", "longbox")) as {
    Docker: { config: Image["config"] };
  };
  await buildah("from", "--name", "longbox", "localhost/longbox");
  return { root: await buildah("mount", "longbox"), shown: {}, config: Docker.config };
}

/**
 * The same files without buildah and without a network, in seconds: npm's part, the packages of others, is that of this
 * checkout.
 */
export async function assembleImage(folder: string, { tarball }: Distribution): Promise<Image> {
  const root = join(folder, "root");
  await makeBase(root);
  await mkdir(join(root, "data"));
  const program = join(root, "opt/longbox/lib/node_modules/longbox");
  await mkdir(join(program, "node_modules"), { recursive: true });
  await pipeline(Readable.from([tarball]), extract({ cwd: program, strip: 1 }));
  const kernel = join(program, "dist/node_modules/@longbox/kernel");
  await cp(join(checkout, "kernel/node_modules"), join(kernel, "node_modules"), { recursive: true });
  for (const name of ["entry.sh", "healthcheck.mjs"]) await cp(join(recipe, name), join(root, "opt/longbox", name));
  const shown = { "/opt/longbox/lib/node_modules/longbox/node_modules": join(checkout, "node_modules") };
  return { root, shown, config: await readConfig() };
}

/** What the Dockerfile says at its end. */
async function readConfig(): Promise<Image["config"]> {
  const text = await readFile(join(recipe, "Dockerfile"), "utf8");
  const get = (pattern: RegExp) => pattern.exec(text)?.[1] ?? "";
  return {
    User: get(/^USER (.+)$/m),
    Env: get(/^ENV (.+)$/m).split(" "),
    Entrypoint: JSON.parse(get(/^ENTRYPOINT (.+)$/m)) as string[],
    Healthcheck: { Test: ["CMD", ...(JSON.parse(get(/^HEALTHCHECK .*CMD (.+)$/m)) as string[])] },
  };
}
