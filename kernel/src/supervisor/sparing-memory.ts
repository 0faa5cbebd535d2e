/**
 * How the kernel is started so that it needs less memory.
 *
 * V8 lets the space for young objects grow to 48 MB for every thread; work in batches fills it without using it, and 24 MB cost no
 * time that could be measured. glibc keeps freed memory in an arena for each thread; two of them are enough. It learns to keep
 * even large blocks there, such as whole pictures; from 4 MB on they are given back at once.
 */
export const sparingMemory = {
  flags: ["--max-semi-space-size=8"],
  environment: { MALLOC_ARENA_MAX: "2", MALLOC_MMAP_THRESHOLD_: "4194304" },
} as const;
