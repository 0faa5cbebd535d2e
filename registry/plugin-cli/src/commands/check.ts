import { isAbsolute, relative } from "node:path";
import { startKernelTestHost } from "@longbox/kernel/testing";
import { neighbours } from "../hosting/neighbours.js";
import { PackageRegistry } from "../hosting/package-registry.js";
import { packPlugin, type PackedPlugin } from "../packing/build.js";

/** One line of the result. */
export interface Finding {
  readonly severity: "error" | "warning";
  readonly code: string;
  readonly message: string;
  readonly file?: string;
  readonly line?: number;
}

/** Does with a plugin what a server does when it is installed, on a server of its own that is thrown away. */
export async function check(folder: string): Promise<Finding[]> {
  let packed: PackedPlugin;
  try {
    packed = await packPlugin(folder, { sourceMaps: true });
  } catch (failure) {
    return [{ severity: "error", code: "cannot-be-packed", message: (failure as Error).message }];
  }
  const findings = await examine(packed, await neighbours(folder));
  return findings.map(({ file, ...found }) => (file === undefined ? found : { ...found, file: within(folder, file) }));
}

/** Sources are named by their absolute paths, files of the package relative to it. */
const within = (folder: string, file: string) => (isAbsolute(file) ? relative(folder, file) : file);

interface Answer {
  readonly name: string;
  readonly state: string;
  readonly reason?: string;
  readonly warnings?: readonly Omit<Finding, "severity">[];
  readonly code: string;
  readonly error: string;
  readonly details?: { readonly mistakes?: readonly Omit<Finding, "severity">[]; readonly file?: string };
}

async function examine({ manifest, tarball }: PackedPlugin, beside: readonly string[]): Promise<Finding[]> {
  await using registry = await PackageRegistry.open();
  registry.offer(manifest, tarball);
  await using host = await startKernelTestHost({ plugins: beside, registry: registry.url, storage: "sqlite" });
  const admin = host.as("admin");
  const { status, body } = await admin.post("/api/plugins/install", { name: manifest.name, accept: true });
  const answer = body as Answer;
  if (status !== 200) return refusals(answer);
  const warnings = (answer.warnings ?? []).map((found) => ({ severity: "warning", ...found }) as const);
  if (answer.state !== "active") return [...warnings, notActive(answer)];
  const stopped = await admin.post(`/api/plugins/${answer.name}/enabled`, { enabled: false });
  const left = (stopped.body as { readonly leftOpen?: readonly string[] }).leftOpen ?? [];
  return [...warnings, ...left.map(leftOpen)];
}

function refusals({ code, error, details }: Answer): Finding[] {
  const mistakes = details?.mistakes ?? [];
  if (mistakes.length === 0) return [{ severity: "error", message: error, ...details, code }];
  const isNamed = (message: string) => error.includes(message);
  return mistakes.map((found) => ({ severity: isNamed(found.message) ? "error" : "warning", ...found }));
}

function notActive({ state, reason = "" }: Answer): Finding {
  const remedy =
    state === "unsatisfied" ? " Name the plugins that it requires in devDependencies: they are started beside it." : "";
  const severity = state === "needs-config" ? "warning" : "error";
  return { severity, code: state, message: `The plugin is ${state}: ${reason}${remedy}` };
}

const leftOpen = (what: string): Finding => ({
  severity: "warning",
  code: "left-open",
  message: `The plugin leaves ${what} open when it stops. Pass it to context.own, or release it in what you own.`,
});
