import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Extractor, ExtractorConfig } from "@microsoft/api-extractor";
import type { Check } from "./check.js";

// Each public entry of the SDK and the report that shows it.
const entries = { index: "sdk", client: "sdk-client", "client-build": "sdk-client-build", manifest: "sdk-manifest", testing: "sdk-testing", "ui/index": "sdk-ui" };
// What runs in browsers is compiled for browsers.
const compiledBy = (entry: string) => (entry.startsWith("ui/") ? "src/ui/tsconfig.json" : "tsconfig.json");

/**
 * The SDK's public surface is what `sdk/etc/*.api.md` show, so that a change of it shows as a diff. With
 * `LONGBOX_UPDATE_API=1` the reports are written anew.
 */
export const apiReportCheck: Check = {
  name: "API report of the SDK",
  async find(root) {
    const problems: string[] = [];
    for (const [entry, report] of Object.entries(entries)) problems.push(...(await reportProblems(root, entry, report)));
    return problems;
  },
};

async function reportProblems(root: string, entry: string, report: string): Promise<string[]> {
  const made = join(root, "temp", "api");
  await mkdir(made, { recursive: true });
  try {
    const errors = extract(root, entry, report, made);
    const kept = join(root, "sdk", "etc", `${report}.api.md`);
    const next = await readFile(join(made, `${report}.api.md`), "utf8");
    if (process.env["LONGBOX_UPDATE_API"] === "1") await writeFile(kept, next);
    const same = (await readFile(kept, "utf8").catch(() => "")) === next;
    return [...errors, ...(same ? [] : [`sdk/etc/${report}.api.md does not show the SDK as it is. If the change is meant: LONGBOX_UPDATE_API=1 npm run check, and say it in the commit.`])];
  } finally {
    await rm(made, { recursive: true, force: true });
  }
}

function extract(root: string, entry: string, report: string, made: string): string[] {
  const errors: string[] = [];
  const config = ExtractorConfig.prepare({
    configObject: {
      projectFolder: join(root, "sdk"),
      mainEntryPointFilePath: join(root, "sdk", "dist", `${entry}.d.ts`),
      compiler: { tsconfigFilePath: join(root, "sdk", compiledBy(entry)) },
      apiReport: { enabled: true, reportFileName: `${report}.api.md`, reportFolder: made, reportTempFolder: join(made, "temp") },
      docModel: { enabled: false },
      dtsRollup: { enabled: false },
      messages: { extractorMessageReporting: { default: { logLevel: "none" as never }, "ae-forgotten-export": { logLevel: "warning" as never, addToApiReportFile: true } } },
      newlineKind: "lf" as never,
    },
    configObjectFullPath: undefined,
    packageJsonFullPath: join(root, "sdk", "package.json"),
  });
  Extractor.invoke(config, {
    localBuild: true,
    messageCallback(message) {
      message.handled = true;
      if (message.category === "Compiler" && message.logLevel === "error") errors.push(message.formatMessageWithLocation(root));
    },
  });
  return errors;
}
