import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { DCLinter } from "dclint";
import { validate } from "dockerfile-utils";
import { expect, it } from "vitest";
import { parse } from "yaml";
import { recipe } from "./support/container-image.js";

it("has a Dockerfile without a mistake", async () => {
  expect(validate(await readFile(join(recipe, "Dockerfile"), "utf8"))).toEqual([]);
});

it("starts and asks for its health by files that it has copied", async () => {
  const text = await readFile(join(recipe, "Dockerfile"), "utf8");
  const copied = [...text.matchAll(/^COPY (?!--from).* (\/opt\/longbox\/\S+)$/gm)].map(([, place]) => place);
  const run = [...text.matchAll(/^(?:HEALTHCHECK .*CMD|ENTRYPOINT) .*"(\/opt\/longbox\/[^"]+)"/gm)].map(
    ([, place]) => place,
  );
  expect(run).toHaveLength(2);
  expect(copied).toEqual(expect.arrayContaining(run));
});

it("has a compose file that fits the schema of Compose, and opens nothing to the network by itself", async () => {
  // The order of keys is ours: what concerns the same thing stands together.
  const rules = { "service-keys-order": 0, "services-alphabetical-order": 0 } as const;
  const file = join(recipe, "compose.yaml");
  const [result] = new DCLinter({ rules, exclude: [], quiet: false, debug: false }).lintFiles([file], false);
  expect(result).toMatchObject({ filePath: file, messages: [] });
  const { services } = parse(await readFile(file, "utf8"));
  expect(services.longbox).toMatchObject({
    read_only: true,
    tmpfs: ["/tmp"],
    cap_drop: ["ALL"],
    security_opt: ["no-new-privileges:true"],
    ports: [{ host_ip: "${LONGBOX_ADDRESS:-127.0.0.1}", target: 8787 }],
  });
  expect(services.postgres.ports).toBeUndefined();
});

it("passes on every variable that its table documents, and no other", async () => {
  const file = await readFile(join(recipe, "compose.yaml"), "utf8");
  const { services } = parse(file);
  // A variable without a value is that of the environment in which Compose runs.
  const passed = Object.entries(services.longbox.environment).flatMap(([name, value]) =>
    value === null ? [name] : [],
  );
  const used = new Set([...passed, ...[...file.matchAll(/\$\{([A-Z_]+)/g)].map(([, name]) => name)]);
  const readme = await readFile(join(recipe, "../README.md"), "utf8");
  const table = readme.slice(readme.indexOf("| Variable of compose.yaml |")).split("\n\n")[0]!;
  const documented = table.split("\n").flatMap((row) => [...row.split("|")[1]!.matchAll(/`([A-Z_]+)`/g)]);
  expect([...used].sort()).toEqual(documented.map(([, name]) => name).sort());
  expect(used).toContain("LONGBOX_BASE_PATH");
});
