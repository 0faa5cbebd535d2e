// The entry point of every command of the checkout:
// `node registry/bootstrap.mjs start|test|check|bench|soak|screenshots|crater|new|publish|pack|build|prepare`. Plain
// JavaScript without dependencies, because it runs before there are any, on whatever Node (20 or newer) is there. It
// installs and builds what changed since the last run, then starts the actual program under the Node that the checkout
// pins. Progress goes to stderr: stdout belongs to the program.
import { buildChanged } from "./bootstrap/build.mjs";
import { installChanged } from "./bootstrap/install.mjs";
import { handOver } from "./bootstrap/hand-over.mjs";

const commands = {
  start: { program: ["registry/dist/bin/start.js"], tied: true },
  test: { program: ["test/dist/run-tests.js"] },
  check: { program: ["test/dist/check/main.js"] },
  bench: { program: ["test/bench/run.ts"] },
  soak: { program: ["test/soak/run.ts"] },
  screenshots: { program: ["test/screenshots/make.ts"] },
  crater: { program: ["test/dist/crater/main.js"] },
  new: { program: ["registry/dist/bin/new.js"] },
  publish: { program: ["registry/dist/bin/publish.js"] },
  pack: { program: ["registry/dist/bin/pack.js"] },
  build: {},
  // Prints the fingerprint of the build; the shell of `npm start` then replaces itself with the program.
  prepare: { print: true },
};

const [name = "", ...rest] = process.argv.slice(2);
const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
if (!command) {
  process.stderr.write(`Usage: node registry/bootstrap.mjs ${Object.keys(commands).join("|")} [arguments]\n`);
  process.exit(2);
}
try {
  installChanged();
  const build = await buildChanged();
  if (command.print) process.stdout.write(`${build}\n`);
  if (command.program)
    process.exitCode = await handOver([...command.program, ...rest], { tied: command.tied ?? false, build });
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
