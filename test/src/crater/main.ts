import { join } from "node:path";
import { parseArgs } from "node:util";
import { fitsSdk } from "@longbox/registry";
import { pluginPackageSchema } from "@longbox/sdk/manifest";
import { packCheckout, fetchPublished } from "./published.js";
import { packSeeded } from "./seeded.js";
import { Shelf } from "./shelf.js";
import { Crater, type Trial } from "./trying.js";

const usage = `npm run crater [-- --registry URL] [--only seeded]

Installs, starts, asks and upgrades every published version of every plugin on the kernel of this checkout: the plugins of the
checkout, old versions that were kept for this purpose, and with --registry what a registry holds. Ends with 1 when one
does not work. --only seeded leaves out the plugins of the checkout.`;

const options = { registry: { type: "string" }, only: { type: "string" }, help: { type: "boolean" } } as const;
const { values } = parseArgs({ options });
if (values.help === true || (values.only ?? "seeded") !== "seeded") {
  process.stderr.write(`${usage}\n`);
  process.exit(values.help === true ? 0 : 2);
}

const began = performance.now();
const root = join(import.meta.dirname, "..", "..", "..");
const packages = [
  ...(await packSeeded()),
  ...(values.only === undefined ? await packCheckout(root) : []),
  ...(values.registry === undefined ? [] : await fetchPublished(values.registry)),
];
const fitting = packages.filter(({ manifest }) => fitsSdk(pluginPackageSchema.parse(manifest).longbox.sdk));
await using shelf = await Shelf.open(fitting);
const crater = new Crater(shelf);
const trials: Trial[] = [];
for await (const trial of crater.tryNewest()) tell(trial);
for await (const trial of crater.tryAllOlder()) tell(trial);

const broken = trials.filter(({ problems }) => problems.length > 0);
const seconds = Math.round((performance.now() - began) / 1000);
const names = broken.map(({ name, version }) => `${name}@${version}`);
process.stdout.write(
  `${trials.length} versions of ${shelf.packages.size} plugins in ${seconds} s, ` +
    `${packages.length - fitting.length} left out that are for another SDK: ` +
    (broken.length === 0 ? "all work\n" : `${broken.length} would break: ${names.join(", ")}\n`),
);
process.exitCode = broken.length === 0 ? 0 : 1;

function tell(trial: Trial): void {
  trials.push(trial);
  const mark = trial.problems.length === 0 ? "ok  " : "FAIL";
  process.stderr.write(`${mark} ${trial.name}@${trial.version}\n`);
  for (const problem of trial.problems) process.stderr.write(`     ${problem.replaceAll("\n", "\n     ")}\n`);
}
