import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readFile, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const root = fileURLToPath(new URL("../../..", import.meta.url));
const unpacking = fileURLToPath(new URL("unpacking-child.ts", import.meta.url));

export interface PackedChromium {
  readonly executablePath: string;
  /** What it needs to find the libraries and fonts that it brings along, which a bare machine has not. */
  readonly env: Readonly<Record<string, string>>;
}

/** The browser that npm brought along, unpacked once for this checkout. */
export async function packedChromium(): Promise<PackedChromium> {
  const { version } = JSON.parse(
    await readFile(join(root, "node_modules/@sparticuz/chromium/package.json"), "utf8"),
  ) as { version: string };
  const folder = join(root, "node_modules/.cache/longbox", `chromium-${version}`);
  if (!existsSync(folder)) await unpackInto(folder);
  return {
    executablePath: join(folder, "chromium"),
    env: { LD_LIBRARY_PATH: join(folder, "al2023/lib"), FONTCONFIG_PATH: join(folder, "fonts") },
  };
}

async function unpackInto(folder: string): Promise<void> {
  await mkdir(dirname(folder), { recursive: true });
  const beside = await mkdtemp(`${folder}-`);
  await promisify(execFile)(process.execPath, [unpacking], {
    env: { ...process.env, TMPDIR: beside, AWS_LAMBDA_JS_RUNTIME: "nodejs24.x" },
  });
  // The first process does it for all.
  await rename(beside, folder).catch(() => rm(beside, { recursive: true, force: true }));
}
