// `npm run new -- plugin <id>`: creates a new plugin.
import { join, relative, resolve } from "node:path";
import { parseArgs } from "node:util";
import { makePlugin } from "../making/make-plugin.js";

const root = join(import.meta.dirname, "..", "..", "..");
const { positionals, values } = parseArgs({ allowPositionals: true, options: { in: { type: "string" } } });
const [kind, id] = positionals;
if (kind !== "plugin" || id === undefined) {
  process.stderr.write("Usage: npm run new -- plugin <id> [--in <folder of the checkout>]\n");
  process.exit(2);
}
try {
  const folder = relative(root, await makePlugin(root, id, values.in === undefined ? undefined : resolve(values.in)));
  process.stderr.write(`Made ${folder}.\n`);
  // Outside of plugins/ it is not part of the build.
  if (values.in === undefined)
    process.stderr.write(
      `Next:\n  npm test -- ${folder}\n  npm run publish:local -- ${folder}     while "npm start" runs, then install it under Plugins\n`,
    );
} catch (error) {
  process.stderr.write(`${(error as Error).message}\n`);
  process.exitCode = 1;
}
