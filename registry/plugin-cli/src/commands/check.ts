// `longbox-plugin check`: what an installation would say of a plugin, and how good it is.
import { isLongboxError } from "@longbox/sdk";
import { startKernelTestHost, type KernelTestHost, type KernelTestHostOptions } from "@longbox/kernel/testing";
import type { Raw } from "../findings/finding.js";
import { located } from "../findings/locating.js";
import type { CheckResult } from "../findings/printing.js";
import { neighbours } from "../hosting/neighbours.js";
import { PackageRegistry } from "../hosting/package-registry.js";
import { AuthorMistake } from "../packing/author-mistake.js";
import { packPlugin, type PackedPlugin } from "../packing/build.js";
import { judge, type Observed } from "../quality/judging.js";
import type { Quality } from "../quality/levels.js";

/** The limits of packages on the server that the plugin is checked with; those of a server as it comes by default. */
export type CheckedLimits = NonNullable<NonNullable<KernelTestHostOptions["kernel"]>["plugins"]>["packages"];

/** Does with a plugin what a server does when it is installed, on a server of its own that is thrown away. */
export async function check(folder: string, limits?: CheckedLimits): Promise<CheckResult> {
  let packed: PackedPlugin;
  try {
    packed = await packPlugin(folder, { sourceMaps: true });
  } catch (failure) {
    return { findings: await located(folder, [unpacked(failure)]) };
  }
  const beside = (await neighbours(folder)).map((neighbour) => neighbour.folder);
  const seen = await examine(packed, { beside, limits });
  const findings = await located(folder, seen.findings);
  return { findings, quality: await qualityOf(folder, seen) };
}

function unpacked(failure: unknown): Raw {
  const message = failure instanceof Error ? failure.message : String(failure);
  if (failure instanceof AuthorMistake) return { severity: "error", code: failure.code, message, ...failure.place };
  return { severity: "error", code: isLongboxError(failure) ? failure.code : "cannot-be-packed", message };
}

async function qualityOf(folder: string, seen: Examined): Promise<Quality | undefined> {
  return "state" in seen ? judge(folder, seen) : undefined;
}

interface Answer {
  readonly name: string;
  readonly state: string;
  readonly reason?: string;
  readonly warnings?: readonly Omit<Raw, "severity">[];
  readonly code: string;
  readonly error: string;
  readonly details?: { readonly mistakes?: readonly Omit<Raw, "severity">[]; readonly file?: string };
}

type Examined = Observed | { readonly findings: readonly Raw[] };

interface Surroundings {
  readonly beside: readonly string[];
  readonly limits: CheckedLimits;
}

async function examine({ manifest, tarball }: PackedPlugin, { beside, limits }: Surroundings): Promise<Examined> {
  await using registry = await PackageRegistry.open();
  registry.offer(manifest, tarball);
  const options = { plugins: beside, registry: registry.url, storage: "sqlite" } as const;
  const tuning = limits === undefined ? {} : { kernel: { plugins: { packages: limits } } };
  await using host = await startKernelTestHost({ ...options, ...tuning });
  const admin = host.as("admin");
  const { status, body } = await admin.post("/api/plugins/install", { name: manifest.name, accept: true });
  const answer = body as Answer;
  if (status !== 200) return { findings: refusals(answer) };
  const warnings = (answer.warnings ?? []).map((found) => ({ severity: "warning", ...found }) as const);
  const routes = jsonRoutes(host, answer.name);
  const run = answer.state === "active" ? await stopAndStart(host, answer.name) : undefined;
  const isolated = await isolatedState(manifest.name, { ...options, isolated: [answer.name] });
  return {
    findings: [
      ...warnings,
      ...(run?.left.map(leftOpen) ?? [notActive(answer)]),
      ...(answer.state === "active" && isolated !== "active" ? [notIsolated(isolated)] : []),
    ],
    state: answer.state,
    stateAgain: run?.state ?? answer.state,
    ...routes,
    isolated,
  };
}

async function stopAndStart(host: KernelTestHost, name: string): Promise<{ left: readonly string[]; state: string }> {
  const switched = async (enabled: boolean) =>
    (await host.as("admin").post(`/api/plugins/${name}/enabled`, { enabled })).body as {
      readonly state: string;
      readonly leftOpen?: readonly string[];
    };
  const { leftOpen: left = [] } = await switched(false);
  return { left, state: (await switched(true)).state };
}

function jsonRoutes({ kernel }: KernelTestHost, name: string): Pick<Observed, "jsonRoutes" | "undescribed"> {
  const own = kernel.routes.list().filter(({ owner, route }) => owner.id === name && route.method === "GET");
  const json = own.filter(({ route }) => route.responseType.startsWith("application/json"));
  const pathOf = ({ route }: (typeof json)[number]) => `GET ${route.path}`;
  return { jsonRoutes: json.map(pathOf), undescribed: json.filter(({ route }) => !route.response).map(pathOf) };
}

/** The state of the plugin in a process of its own, on a server of its own, or why it does not come to one. */
async function isolatedState(name: string, options: KernelTestHostOptions): Promise<string> {
  await using host = await startKernelTestHost(options);
  const { status, body } = await host.as("admin").post("/api/plugins/install", { name, accept: true });
  const { state, reason, error } = body as Answer;
  if (status !== 200) return `refused: ${error}`;
  return reason === undefined ? state : `${state}: ${reason}`;
}

function refusals({ code, error, details }: Answer): Raw[] {
  const mistakes = details?.mistakes ?? [];
  if (mistakes.length === 0) return [{ severity: "error", message: error, ...details, code }];
  const isNamed = (message: string) => error.includes(message);
  return mistakes.map((found) => ({ severity: isNamed(found.message) ? "error" : "warning", ...found }));
}

function notActive({ state, reason = "" }: Answer): Raw {
  const severity = state === "needs-config" ? "warning" : "error";
  return { severity, code: state, message: `The plugin is ${state}: ${reason}` };
}

const notIsolated = (state: string): Raw => ({
  severity: "warning",
  code: "cannot-isolate",
  message: `Servers isolate plugins of other publishers unless an administrator says otherwise. In a process of its own this one is ${state}`,
});

const leftOpen = (what: string): Raw => ({
  severity: "warning",
  code: "left-open",
  message: `The plugin leaves ${what} open when it stops.`,
});
