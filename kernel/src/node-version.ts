// What versions of Node the server runs on, for programs that must say so before they load anything that needs it.

const needed = 24;

/**
 * Says what to do about a version of Node that is too old, as two sentences; undefined for one that is not.
 * @param command - what was run, for the advice, such as `longbox-plugin check`
 * @param version - such as `24.1.0`
 */
export function nodeProblem(command: string, version: string = process.versions.node): string | undefined {
  if (Number(version.split(".")[0]) >= needed) return undefined;
  return (
    `This is Node ${version}, and Longbox needs Node ${needed} or newer: it uses node:sqlite, module.registerHooks and the reading of TypeScript. ` +
    `Install it from https://nodejs.org, or run "npx -p node@${needed} ${command}", which changes nothing on the machine.`
  );
}
