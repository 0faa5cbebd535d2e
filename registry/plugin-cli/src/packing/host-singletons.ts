/**
 * The packages that the kernel provides to every plugin. There is one copy for all, which is never packed into a
 * package.
 */
const singletons = ["@longbox/sdk", "zod", "kysely", "sharp", "@napi-rs/canvas"];

/** Whether the kernel provides an import (`zod`, `@longbox/sdk/testing`). */
export function isHostSingleton(specifier: string): boolean {
  return singletons.some((name) => specifier === name || specifier.startsWith(`${name}/`));
}
