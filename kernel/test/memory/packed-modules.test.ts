import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";

const dist = new URL("../../dist/", import.meta.url);
const table = JSON.parse(readFileSync(new URL("packed/table.json", dist), "utf8")) as Record<string, string>;
const shared = Object.keys(table).filter((specifier) => !specifier.startsWith("."));

/** Runs code in a process of its own, where the packed modules are used or are not. @returns what it prints, as JSON */
async function evaluate(code: string, isPacked = true): Promise<unknown> {
  const use = `import { usePackedModules } from ${JSON.stringify(new URL("memory/packed-modules.js", dist).href)}; usePackedModules();`;
  const script = `${isPacked ? use : ""} await import("reflect-metadata"); ${code}`;
  const { stdout } = await promisify(execFile)(process.execPath, ["--input-type=module", "--eval", script]);
  return JSON.parse(stdout);
}

/** Makes the code import as the module of the kernel does that runs commands. */
const asKernel = `
import { registerHooks } from "node:module";
registerHooks({
  resolve(specifier, context, next) {
    const isFromHere = context.parentURL?.includes("[eval") && !specifier.startsWith("file:");
    return next(specifier, isFromHere ? { ...context, parentURL: "${new URL("command-line.js", dist).href}" } : context);
  },
});
`;

describe("the packed modules of the kernel", () => {
  it("export all that the packages export, as plugins import them, too", async () => {
    expect(shared).toContain("@longbox/sdk");
    const names = `${asKernel} const all = {};
      for (const name of ${JSON.stringify(shared)}) {
        const { "module.exports": _all, ...exported } = await import(name);
        all[name] = Object.entries(exported).map(([key, value]) => key + " " + typeof value).sort();
      }
      console.log(JSON.stringify(all));`;
    expect(await evaluate(names)).toEqual(await evaluate(names, false));
  });

  it("are one copy for all: a fault of the SDK is one whatever imports the SDK", async () => {
    const code = `${asKernel}
      const [full, light] = await Promise.all([import("@longbox/sdk"), import("@longbox/sdk/light")]);
      const common = Object.keys(light).filter((name) => name in full);
      console.log(JSON.stringify({ common: common.length, same: common.filter((name) => full[name] === light[name]).length }));`;
    const { common, same } = (await evaluate(code)) as { common: number; same: number };
    expect(common).toBeGreaterThan(0);
    expect(same).toBe(common);
  });

  it("make the server of few files", async () => {
    const code = `${asKernel}
      let loaded = 0;
      registerHooks({
        load(url, context, next) {
          if (url.startsWith("file:")) loaded++;
          return next(url, context);
        },
      });
      await import("./serving.js");
      console.log(JSON.stringify(loaded));`;
    const packed = (await evaluate(code)) as number;
    const unpacked = (await evaluate(code, false)) as number;
    expect(unpacked).toBeGreaterThan(500);
    expect(packed).toBeLessThan(150);
  });
});
