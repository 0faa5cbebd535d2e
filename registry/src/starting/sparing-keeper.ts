/**
 * glibc's allocator in the program that keeps the server: what goes through it while plugins are installed comes in
 * blocks of 64 kB, and is given back. Without this, it keeps 8 MB of that for ever.
 */
const allocator: Readonly<Record<string, string>> = {
  MALLOC_ARENA_MAX: "1",
  MALLOC_MMAP_THRESHOLD_: "65536",
  MALLOC_TRIM_THRESHOLD_: "131072",
};

/** The environment of the keeper: what is set already stays. */
export function sparingEnvironment(given: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return { ...allocator, ...given };
}

/** The allocator has read its settings when the process began; programs that the keeper starts have their own. */
export function forgetAllocator(environment: NodeJS.ProcessEnv): void {
  for (const [name, value] of Object.entries(allocator)) if (environment[name] === value) delete environment[name];
}
