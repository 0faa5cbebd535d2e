/** The shared packages that are bundled with the code of the process, and the file of each beside its entry. */
export const bundledPackages = {
  "@longbox/sdk": "sdk.js",
  "@longbox/sdk/light": "sdk-light.js",
  "@longbox/sdk/manifest": "sdk-manifest.js",
  "@longbox/sdk/messages": "sdk-messages.js",
  "@longbox/sdk/worker": "sdk-worker.js",
  "@longbox/sdk/xml": "sdk-xml.js",
  kysely: "kysely.js",
  zod: "zod.js",
  "zod/v4": "zod-v4.js",
  "zod/v4/core": "zod-core.js",
} as const;
