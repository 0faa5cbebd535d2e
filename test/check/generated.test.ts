import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { apiReportCheck } from "../src/check/documents/api-report.js";
import { contractIndexCheck } from "../src/check/documents/contract-index.js";
import { dependenciesCheck } from "../src/check/documents/dependencies.js";
import { errorCodesCheck } from "../src/check/documents/error-codes.js";
import { plant, root } from "./planting.ts";

const lock = (licence: string) => ({
  packages: {
    "node_modules/fast": { license: licence, hasInstallScript: true },
    "node_modules/slow": { license: "MIT" },
  },
});

describe("the page of error codes", () => {
  const errors = `
    export class ShelfNotFound extends NotFound {
      constructor(id: number) { super("shelves/not-found", \`There is no shelf \${id}.\`, { id }); }
    }
    export const refuse = () => new LongboxError("unavailable", "shelves/away", "The shelf is away.");
    // throw new BadInput("shelves/only-a-comment", "…");
  `;

  it("is made of kind, status, message and remedy, and differs once a code comes or goes", async () => {
    await using planted = await plant({ "plugins/shelves/src/errors.ts": errors }, ["kernel/src/http/statuses.ts"]);
    const stalePage = "kernel/ERRORS.md does not show the source as it is";
    expect((await errorCodesCheck.find(planted.path)).at(-1)).toContain(stalePage);
    await writeFile(
      join(planted.path, "kernel/ERRORS.md"),
      (await readFile(join(root, "kernel/ERRORS.md"), "utf8")).split("\n## ")[0] +
        [
          "",
          "## shelves",
          "",
          "| Code | Kind | Status | Meaning | What helps |",
          "|---|---|---|---|---|",
          "| `shelves/away` | unavailable | 503 | The shelf is away. | Try again after `Retry-After` seconds, or when the reason in the message no longer applies. |",
          "| `shelves/not-found` | not-found | 404 | There is no shelf …. | Reload the list: it was removed, or it is hidden from you. |",
          "",
        ].join("\n"),
    );
    const complaints = await errorCodesCheck.find(planted.path);
    expect(complaints.filter((complaint) => !complaint.startsWith("error-knowledge.ts describes"))).toEqual([]);
  });

  it("asks for what the source does not say", async () => {
    const made = `export const fault = makeFault("shelves/odd", reason);`;
    await using planted = await plant({ "plugins/shelves/src/a.ts": made }, ["kernel/src/http/statuses.ts"]);
    expect((await errorCodesCheck.find(planted.path))[0]).toMatch(
      /^plugins\/shelves\/src\/a\.ts:1: the kind of shelves\/odd/,
    );
  });
});

describe("the index of contracts", () => {
  const manifest = (more: object) =>
    JSON.stringify({ name: "@longbox/shelves", version: "1.0.0", longbox: { id: "shelves", ...more } });
  const token = `/** Shelves that people arrange. More. */\nexport const Shelves = contract<ShelvesContract>("shelves", "1.0.0");\n`;
  const packages = JSON.stringify({ private: true, workspaces: ["plugins/*"] });

  it("differs once a manifest provides something else", async () => {
    await using planted = await plant({
      "package.json": packages,
      "plugins/shelves/package.json": manifest({ provides: { shelves: "1.0.0" } }),
      "plugins/shelves/src/contract.ts": token,
    });
    expect(await contractIndexCheck.find(planted.path)).toEqual([
      expect.stringMatching(/^sdk\/CONTRACTS\.md does not show/),
    ]);
  });

  it("refuses a contract that has no token", async () => {
    await using planted = await plant({
      "package.json": packages,
      "plugins/shelves/package.json": manifest({ provides: { shelves: "1.0.0", "shelves.tidy": "1.0.0" } }),
      "plugins/shelves/src/contract.ts": token,
    });
    expect(await contractIndexCheck.find(planted.path)).toEqual([expect.stringContaining("declares shelves.tidy")]);
  });

  it("refuses versions and ranges that the tokens do not fit", async () => {
    const orders = `export const Orders = extensionPoint<Order>("orders", "2.0.0");\n`;
    await using planted = await plant({
      "package.json": packages,
      "plugins/shelves/package.json": manifest({ provides: { shelves: "1.1.0" }, contributes: { orders: "^1.0.0" } }),
      "plugins/shelves/src/contract.ts": token + orders,
    });
    expect(await contractIndexCheck.find(planted.path)).toEqual([
      "The manifest of shelves names shelves 1.1.0 (provides), and the version of its token is 1.0.0.",
      "The manifest of shelves names orders ^1.0.0 (contributes), and the version of its token is 2.0.0.",
    ]);
  });

  it("refuses a contract of which nothing is said, or only what is said of another", async () => {
    const same = (id: string, name: string) =>
      token.replace('"shelves"', JSON.stringify(id)).replace("const Shelves", "const " + name);
    const provides = { shelves: "1.0.0", "shelves.tidy": "1.0.0", "shelves.dust": "1.0.0" };
    await using planted = await plant({
      "package.json": packages,
      "plugins/shelves/package.json": manifest({ provides }),
      "plugins/shelves/src/contract.ts":
        token.split("\n").slice(1).join("\n") + same("shelves.tidy", "Tidy") + same("shelves.dust", "Dust"),
    });
    expect(await contractIndexCheck.find(planted.path)).toEqual(
      Object.keys(provides).map((id) => "The comment above the token of " + id + " does not say what it is for."),
    );
  });
});

describe("the page of dependencies", () => {
  it("names each dependency with its licence, and each install script, and no others", async () => {
    await using planted = await plant({
      "package.json": JSON.stringify({
        workspaces: [],
        dependencies: { fast: "1.0.0", slow: "1.0.0" },
        allowScripts: { old: true },
      }),
      "package-lock.json": JSON.stringify(lock("GPL-3.0")),
      "DEPENDENCIES.md":
        "## Packages\n\n| `fast` | it is fast | MIT |\n| `gone` | was here | MIT |\n\n## Install scripts\n\n| `fast` | yes | it builds |\n",
    });
    expect(await dependenciesCheck.find(planted.path)).toEqual([
      "allowScripts of package.json lacks fast.",
      "allowScripts of package.json names old, which is not used.",
      "DEPENDENCIES.md, Packages lacks slow.",
      "DEPENDENCIES.md, Packages names gone, which is not used.",
      "DEPENDENCIES.md says that fast is under MIT; it is under GPL-3.0.",
    ]);
  });
});

it("an API report differs once a contract does, and names types it keeps to itself", { timeout: 120_000 }, async () => {
  const manifest = { name: "@longbox/shelves", version: "1.0.0", type: "module" };
  await using planted = await plant(
    {
      "plugins/shelves/package.json": JSON.stringify(manifest),
      "plugins/shelves/tsconfig.json": JSON.stringify({ compilerOptions: { module: "nodenext", target: "es2024" } }),
      "plugins/shelves/src/contract.ts": "export interface Shelf {\n  readonly id: number;\n}\n",
      "plugins/shelves/dist/contract.d.ts":
        "interface Board {\n  readonly width: number;\n}\ninterface Wood {}\nexport interface Shelf {\n  readonly id: number;\n  readonly boards: Board[];\n  readonly wood: Wood;\n}\nexport {};\n",
      "plugins/shelves/etc/contract.api.md": "old",
      // Another entry of the plugin exports one of them, which other plugins may not import.
      "plugins/shelves/etc/api.api.md": "export interface Wood {\n}\n",
    },
    ["node_modules", "tsconfig.base.json", "sdk"],
  );
  expect(await apiReportCheck.find(planted.path)).toEqual([
    "plugins/shelves/etc/contract.api.md needs Board: export it.",
    "plugins/shelves/etc/contract.api.md needs Wood: export it.",
    expect.stringMatching(/^plugins\/shelves\/etc\/contract\.api\.md does not show/),
  ]);
});
