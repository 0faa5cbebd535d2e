/**
 * What needs neither schemas nor queries. Modules that run in threads import it in place of the whole SDK: zod and
 * Kysely cost every thread 36 MB and the time to load them.
 */
export { inBatches } from "./batches.js";
export {
  BadInput,
  CapabilityGone,
  Conflict,
  isLongboxError,
  LongboxError,
  NotFound,
  UpstreamFailure,
} from "./errors.js";
export { foldText } from "./folding/fold-text.js";
export { foldTitle, foldWords } from "./folding/fold-title.js";
export { HostFailure, isHostFailure, retryAfterSeconds } from "./outgoing/host-failure.js";
export { openRegularFile, readBounded, readFileBounded, TooManyBytes } from "./reading/bounded-reading.js";
export { readSmallFile } from "./reading/small-file.js";
export { isWithin, resolveWithin } from "./reading/folders.js";
export { imageHeadBytes, imageTypeOf, imageTypeOfFile } from "./reading/image-type.js";
export { inflateOptions } from "./reading/inflate-options.js";
export { unlessMissing } from "./reading/unless-missing.js";
export { releasable } from "./releasable.js";
export { TaskThread } from "./task-thread.js";
export { contract, extensionPoint } from "./token.js";
export { joinSignals } from "./waiting/joined-signal.js";
export { pause, within } from "./waiting/limited-waiting.js";
export { counted, named } from "./texts/wording.js";
