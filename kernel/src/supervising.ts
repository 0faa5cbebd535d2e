// `@longbox/kernel/supervisor`: for a program that keeps a kernel running without being one, and loads as little as
// that needs.
export { restWhenIdle } from "./memory/resting.js";
export { kernelOptions, type KernelOptions } from "./kernel-options.js";
export { Supervisor, type SupervisorOptions } from "./supervisor/supervisor.js";
