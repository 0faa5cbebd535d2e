// What an author does about each finding, by its code.

const remedies: Readonly<Record<string, string>> = {
  "imports-other-plugin": `Import the token from the other plugin's "/contract", and name its contract under longbox.requires or longbox.optional.`,
  "unresolved-import": "Install the package with npm install, or correct the name or the path of the import.",
  "syntax-error": "Correct the syntax in this line.",
  "not-bundled": "Add the package to dependencies, or name it under longboxBundle.copy when it cannot be bundled.",
  "no-package": "Make a plugin with npm create longbox-plugin, or go into its folder.",
  "cannot-be-packed": "Correct what the message names, and run the check again.",
  "peer-range": `Set peerDependencies["@longbox/sdk"] to the version that you develop with, such as "^1.0.0".`,
  "not-a-module": `Set the field type of package.json to "module", and write import and export.`,
  "entry-missing": `Let exports["."] name dist/index.js, and write src/index.ts.`,
  "client-file-missing": `Build the client, and list its folder under "files".`,
  "client-file-not-served": "Move the file into a folder such as client, and name it with that folder.",
  "worker-missing": "Name dist/<worker>.js, and write src/<worker>.ts.",
  "site-missing": `Build the site, and list its folder under "files".`,
  "permission-namespace": "Begin the key with the plugin's id and a dot.",
  "element-prefix":
    "Begin the element's name with the plugin's id and a hyphen, in the manifest and in customElements.define.",
  "kit-version": "Build the client again with the SDK that the plugin names.",
  "module-syntax": "Correct the syntax in this line.",
  "module-import": "Bundle the client, so that it imports nothing that is not in the package.",
  "engines-node": `Name the versions of Node that it runs on, such as ">=24".`,
  "host-is-address": "Name the host, or leave longbox.hosts out.",
  "messages-unreadable": "Correct the file; the SDK's README describes it under Languages.",
  "range-unreadable": `Write a range of versions, such as "^1.0.0".`,
  "declared-twice": "Remove one of the two, or give it a unique name.",
  "permission-undeclared": "Declare the permission under longbox.permissions, or correct its key.",
  "page-path": "Write the path as words and parameters between slashes, such as /lamps/:id.",
  "reserved-name": "Choose another name; that of the plugin or of its package is a good beginning.",
  "failure-at-import": "Move it into activate and await it there, so that what fails is the plugin's start.",
  "work-at-import": "Move it into activate, and pass what has to end to context.own.",
  "settings-not-an-object": "Write settings: z.object({ … }).",
  "settings-unusable": "Write each setting as a schema of zod with a default that needs nothing else.",
  "setting-not-json":
    "Write it as a text, a number, a switch, a list or an object, and make of it what you need where it is used.",
  "setting-list-by-hand": "Make the list with listSetting(z.object({ … }), { title }), or leave list out.",
  "settings-meta": "Write one of the words, or the path, that the message names.",
  "setting-default-refused": "Give the setting a default that its own schema accepts.",
  "secret-with-default": "Use secretSetting, which is empty until someone sets it.",
  "setting-without-default": "Add .default(…) to the setting.",
  "setting-without-title": `Add .meta({ title: "…" }) to the setting.`,
  "migration-incomplete": "Write migration(name, up) or rawMigration(name, statements).",
  "migration-without-engine":
    "Give the statements for sqlite and for postgres; an empty list where there is nothing to do.",
  "migration-not-awaited": "Write await before each execute() of the step.",
  "migration-statements": "Give each statement a text of its own in the list.",
  "migration-empty": "Add .execute() to what the step builds, or remove the step.",
  generator: "Write activate(capabilities, context) { … }, or async activate.",
  platform: "Leave the field out, or name the systems that the plugin really needs.",
  "file-kind": "Name the file that is built, such as client/lamps.js.",
  "migration-twice": "Give the later migration a unique name.",
  "migrations-out-of-order": "Name migrations by number, such as 0002-…, and list them in that order.",
  "contract-version":
    "Take the token from the plugin's /contract, and name its version under longbox.requires or longbox.optional.",
  "contract-not-asked-for": "Ask for it under requires or optional of definePlugin, or remove it from the manifest.",
  "path-parameter-without-schema": "Add the parameter to params, such as z.object({ id: idParameter }).",
  "schema-without-path-parameter": "Write the parameter in braces into the path, or remove it from params.",
  "get-with-body": "Use query for a GET, or another method.",
  "method-unknown": "Write one of the methods that the message names.",
  "route-schema": "Write a schema of zod, such as z.object({ id: idParameter }).",
  "path-parameter-twice": "Give each parameter of the path a unique name.",
  "route-without-handler":
    "Write handle: (request) => …; a misspelt name is not seen when a plugin is packed, tsc says it.",
  "route-field-unknown": "Correct the name of the field, or remove it: defineRoute does nothing with it.",
  "route-field-wrong": "Write what the message says, or leave the field out.",
  "parameter-not-text":
    "Take a text and make of it what you need: idParameter, indexParameter, flagParameter, z.coerce.number().",
  "route-without-summary": "Say in a few words what the route does: summary is part of the API document.",
  "element-undefined": "Define the element with customElements.define, or correct its name.",
  "route-missing": "Add the route, or correct its method and path in package.json.",
  "contribution-unfit":
    "Take the token of the version that the message names, and name a range under longbox.contributes that it fits.",
  "contribution-refused": "Correct the field; the README of the plugin that opens the point says what it takes.",
  "sql-not-portable": "Write it as the message says, or once for each engine with perEngine or rawMigration.",
  "undeclared-event": "Declare the domain under longbox.events of package.json.",
  "no-licence": "Name the licence in package.json, such as MIT.",
  "no-readme": "Write a README.md that says what the plugin adds.",
  "no-repository": "Name the address of the sources in package.json.",
  "cannot-isolate":
    "Do in the plugin's own process what the message names; or say in the README that an administrator has to let it run with the server's rights.",
  "kernel/cannot-isolate": "Do in the plugin's own process what the message names, or remove longbox.isolation.",
  "kernel/cannot-cross": "Give others data and async functions only, or remove longbox.isolation.",
  "left-open": "Pass it to context.own, or release it in what you own.",
  "needs-config": "Let the plugin start without settings, and say in its state what is missing.",
  unsatisfied: "Name the plugins that it requires in devDependencies: they are started beside it.",
  failed: "Correct what activate throws.",
  "kernel/bad-manifest": "Correct the field in package.json; the SDK's README describes the manifest.",
  "kernel/not-a-plugin": `Add "longbox-plugin" to keywords in package.json.`,
  "kernel/trial-import-failed":
    "Correct the module: it has to be imported without an error, and to export the result of definePlugin as default.",
  "kernel/bad-plugin-module":
    "Export the result of definePlugin as default, and ask only for contracts that the manifest names.",
  "kernel/plugin-mistakes": "Correct the routes that the message names.",
  "kernel/capability-not-provided":
    "Provide the contract in activate with context.provide, or remove it from longbox.provides.",
  "kernel/migration-failed": "Correct the statement; migrations run on SQLite and on PostgreSQL.",
  "kernel/route-path":
    "Begin the path with /api/ and the plugin's id or with one of longbox.basePaths, and write parameters as {name}.",
  "kernel/route-taken": "Choose another path: the server already uses this path.",
  "kernel/route-overlaps": "Choose another path: the server answers below this one itself.",
  "kernel/route-twice": "Remove one of the two, or give it another method or path.",
  "kernel/undeclared-capability": "Name the contract under longbox.provides of package.json.",
  "kernel/undeclared-contribution": "Name the extension point under longbox.contributes of package.json.",
  "kernel/undeclared-domain": "Declare the domain under longbox.events of package.json.",
  "kernel/undeclared-extension-point": "Name the extension point under longbox.opens of package.json.",
  "kernel/undeclared-host": "Name the host under longbox.hosts of package.json.",
  "kernel/undeclared-public-route":
    "Name the route under longbox.publicRoutes of package.json, such as GET /api/lamps/feed.",
  "kernel/too-many-contributions": "Add one contribution for each thing that users know, not for each row.",
  "kernel/undeclared-worker": "Name the worker under longbox.workers of package.json.",
  "kernel/undeclared-permission": "Declare the permission under longbox.permissions, or use one of the server's.",
  "kernel/import-missing": "Add the package to dependencies, or correct the name or the path of the import.",
  "kernel/file-too-large": `Leave the file out of "files", or fetch it when it is needed.`,
  "kernel/id-taken": "Choose another id.",
  "kernel/base-path-taken": "Choose another base path.",
  "kernel/page-taken": "Choose another path for the page.",
  "kernel/no-such-slot": "Use one of the slots that the message names.",
  "kernel/permission-taken": "Choose another key, which begins with the plugin's id.",
};

const usual = "Correct what the message names; kernel/ERRORS.md of the sources describes the code.";

/** What to do about a finding with this code. */
export const remedyFor = (code: string): string => remedies[code] ?? usual;

/** Whether there is a remedy for exactly this code. */
export const hasRemedy = (code: string): boolean => code in remedies;
