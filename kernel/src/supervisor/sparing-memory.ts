/**
 * How the kernel is started so that it needs less memory.
 *
 * V8 lets the space for young objects grow to 48 MB for every thread; work in batches fills it without using it, and 24 MB cost no
 * time that could be measured. glibc keeps freed memory in an arena for each thread; two of them are enough. To give large blocks
 * back at once (MALLOC_MMAP_THRESHOLD_) spares some 100 MB after a PDF was read, and makes every rendering a tenth slower: it is left out.
 */
export const sparingMemory = {
  flags: ["--max-semi-space-size=8"],
  environment: { MALLOC_ARENA_MAX: "2" },
} as const;
