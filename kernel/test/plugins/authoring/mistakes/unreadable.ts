import type { MistakeCase } from "./case.js";

/** Texts in a package that cannot be read as what they are for. */
export const unreadably: readonly MistakeCase[] = [
  ...[
    ["twenty", "is no range"],
    [">=24 <24", "Node"],
    [">=99", "runs on Node"],
    [24, "is no range"],
  ].map(([node, names]): MistakeCase => ({
    number: 41,
    title: `asks for Node ${node}`,
    plugin: { packageJson: { engines: { node } } },
    code: "engines-node",
    names: `${names}`,
  })),
  {
    number: 5,
    title: "has a peer range for a shared package that does not fit",
    plugin: { packageJson: { peerDependencies: { zod: "^3.22.0" } } },
    code: "peer-range",
    names: 'peerDependencies["zod"]',
  },
  {
    number: 5,
    title: "is written for an SDK in a range that is none",
    plugin: { manifest: { sdk: "newest" } },
    code: "kernel/bad-manifest",
    names: 'longbox.sdk: "newest" is no range',
  },
  {
    number: 22,
    title: "provides a contract in a version that is none",
    plugin: { manifest: { provides: { shared: "01.0.0" } } },
    code: "kernel/bad-manifest",
    names: 'longbox.provides.shared: "01.0.0" is no version',
  },
  ...[
    "https://api.example.org",
    "api.example.org/v1",
    "api.*.example.org",
    "api.example.org:99999",
    "[::1]",
    "API.example.org",
    "*",
  ].map((host): MistakeCase => ({
    number: 22,
    title: `talks to the host ${host}`,
    plugin: { manifest: { hosts: [host] } },
    code: "kernel/bad-manifest",
    names: "longbox.hosts.0: must be a host name",
  })),
  ...["192.0.2.1", "*.2.1", "1"].map((host): MistakeCase => ({
    number: 22,
    title: `talks to the address ${host}`,
    plugin: { manifest: { hosts: [host] } },
    code: "host-is-address",
    names: `"${host}"`,
  })),
  ...[
    ["de.json", "{", "is no JSON"],
    ["de.json", "[]", `must hold texts under "texts"`],
    ["de.json", `{ "Lamps": "Lampen" }`, `must hold texts under "texts"`],
    ["de.json", `{ "texts": { "Lamps": 1 } }`, "texts.Lamps"],
    ["de.json", `{ "texts": { "{count} lamps": "{number} Lampen" } }`, "{number}"],
    ["german.json", "{}", "named after no language"],
    ["de_AT.json", "{}", "named after no language"],
    ["en.json", `{ "messages": { "lit": "{count, plural, one {# lamp}}" } }`, "missing other clause"],
    ["en.json", `{ "messages": { "lit": "{name" } }`, `message "lit"`],
    ["de.json", `{ "messages": { "lit": "Licht" } }`, `"messages/en.json" does not have`],
  ].map(([file = "", text = "", names = ""]): MistakeCase => ({
    number: 41,
    title: `has messages/${file} with ${text}`,
    plugin: { files: { [`messages/${file}`]: text } },
    code: "messages-unreadable",
    names: new RegExp(`messages/${file}.*${names.replaceAll(/[{}]/g, "\\$&")}`),
  })),
];
