export { Kernel } from "./kernel.js";
export { kernelOptions } from "./kernel-options.js";
export type { KernelOptions } from "./kernel-options.js";
export { ServerLog } from "./logging/server-log.js";
