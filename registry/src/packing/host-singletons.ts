/** What the kernel provides to every plugin: one copy for all, never packed into a package. */
const singletons = ["@longbox/sdk", "zod", "kysely", "sharp", "@napi-rs/canvas"];

/** Whether an import (`zod`, `@longbox/sdk/testing`) is answered by the kernel. */
export function isHostSingleton(specifier: string): boolean {
  return singletons.some((name) => specifier === name || specifier.startsWith(`${name}/`));
}
