/**
 * How the kernel is started so that it needs less memory.
 *
 * V8 lets the space for young objects grow to 48 MB for every thread; work in batches fills it without using it, and 24
 * MB cost no time that could be measured. glibc keeps freed memory in an arena for each thread; two of them are enough.
 * It also learns to keep ever larger blocks, up to 64 MB in each arena: with fixed thresholds, blocks of 512 kB and
 * more go back to the system at once. After a plugin has rewritten hostile archives that is 120 MB less (485 in place
 * of 605 MB). Renderings take 1 to 2 % longer. With `--expose-gc` a thread that is idle gives back its garbage
 * (`memory/resting.ts`).
 *
 * V8 lets garbage grow to several times what is in use before it collects old objects; here to 30 % of it. That is 255
 * in place of 320 MB while many clients browse, and 254 in place of 290 MB during a scan, without a loss of time that
 * could be measured: old objects are collected beside the work.
 */
export const sparingMemory = {
  flags: ["--max-semi-space-size=8", "--heap-growing-percent=30", "--expose-gc"],
  environment: { MALLOC_ARENA_MAX: "2", MALLOC_MMAP_THRESHOLD_: "524288", MALLOC_TRIM_THRESHOLD_: "2097152" },
} as const;
