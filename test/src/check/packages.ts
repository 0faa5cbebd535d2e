import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { workspaceFolders } from "@longbox/registry";
import { publint } from "publint";
import { formatMessage } from "publint/utils";
import type { Check } from "./check.js";

/** Every package that is published has an export map that works; publint reads what `files` would pack. */
export const packagesCheck: Check = {
  name: "packages",
  async find(root) {
    const problems: string[] = [];
    for (const folder of await workspaceFolders(root)) {
      const manifest = JSON.parse(await readFile(join(folder, "package.json"), "utf8")) as {
        name: string;
        private?: boolean;
      };
      if (manifest.private) continue;
      const { messages } = await publint({ pkgDir: folder, level: "warning", strict: true, pack: false });
      problems.push(
        ...messages.map(
          (message) =>
            `${manifest.name}: ${formatMessage(message, manifest as Record<string, unknown>) ?? message.code}`,
        ),
      );
    }
    return problems;
  },
};
