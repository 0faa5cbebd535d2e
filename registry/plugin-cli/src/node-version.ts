const needed = [24, 0] as const;

/** What a version of Node lacks for plugins, in a sentence; undefined when it lacks nothing. */
export function lacks(version: string): string | undefined {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  if (major > needed[0] || (major === needed[0] && minor >= needed[1])) return undefined;
  return (
    `Node ${version} lacks node:sqlite, module.registerHooks and the reading of TypeScript, which the server and its test host use. ` +
    `Install Node ${needed[0]} or newer; "npx -p node@${needed[0]} longbox-plugin" runs this program on it without changing the machine.`
  );
}
