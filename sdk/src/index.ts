export { definePlugin } from "./plugin.js";
export type {
  ContractMap,
  ContributionRules,
  Contributions,
  OptionalCapability,
  PluginContext,
  PluginDefinition,
  PluginOptions,
  PluginSettings,
  PluginWorker,
  Resolved,
  ResolvedOptional,
  WorkerLimits,
  Topic,
} from "./plugin.js";
export { defineRoute } from "./routes/route.js";
export type {
  Access,
  Challenge,
  MaybePromise,
  Method,
  Route,
  RouteAnswer,
  RouteInput,
  RouteOptions,
  RouteRequest,
} from "./routes/route.js";
export { activitySchema, type Activity } from "./activity.js";
export { counted, named } from "./texts/wording.js";
export { inProtocol } from "./routes/in-protocol.js";
export type { Protocol } from "./routes/in-protocol.js";
export type { CredentialScheme, PresentedCredentials, ProtocolAnswer, RouteFailure } from "./routes/protocol.js";
export { reply, replyKind } from "./routes/reply.js";
export type { Content, ContentOptions, RangeBytes, Reply, ReplyHeaders, ReplyOptions } from "./routes/reply.js";
export {
  flagParameter,
  idListParameter,
  idParameter,
  indexParameter,
  pageParameters,
  signedIdParameter,
} from "./routes/parameters.js";
export { contract, extensionPoint } from "./token.js";
export type { Contract, ExtensionPoint, Provided } from "./token.js";
export {
  BadInput,
  CapabilityGone,
  Conflict,
  isLongboxError,
  LongboxError,
  NotFound,
  UpstreamFailure,
} from "./errors.js";
export type { ErrorKind, ErrorOptionsExtra } from "./errors.js";
export { narrowedFrom, publicViewer, systemViewer, withoutRestricted } from "./viewer.js";
export type { User, Viewer } from "./viewer.js";
export type { FileCache, FullText, MemoryIndex, PluginStorage, StoredDocument } from "./storage.js";
export type { ColumnTypes, ColumnValues } from "./tables/column-types.js";
export { engineFunctions, givenRows, isAmong, perEngine } from "./tables/engine-functions.js";
export type { ColumnOrExpression, GivenColumns, GivenRow } from "./tables/engine-functions.js";
export { excluded } from "./tables/excluded.js";
export { findAmong } from "./tables/find-among.js";
export { atOnce } from "./tables/at-once.js";
export { rowsInsert } from "./tables/rows-insert.js";
export type { InsertBuilder } from "./tables/rows-insert.js";
export { beginsWith, containsText } from "./tables/folded-text.js";
export { foldText } from "./folding/fold-text.js";
export { foldTitle, foldWords } from "./folding/fold-title.js";
export { migration, rawMigration } from "./tables/migration.js";
export type { EngineName, EngineStatements, Migration, MigrationStep } from "./tables/migration.js";
export { listSetting, secretSetting, settingTestResult, type SettingTestResult } from "./settings.js";
export type { SettingMeta, SettingsGroupMeta } from "./settings.js";
export { releasable } from "./releasable.js";
export type { Releasable } from "./releasable.js";
export type { MemoryBudget } from "./memory.js";
export type {
  Fetch,
  FetchOptions,
  HostLimits,
  HostRequest,
  HostState,
  OutgoingHost,
  StreamedAnswer,
  StreamOptions,
} from "./outgoing/fetching.js";
export type { Answer, JsonLimits, ParseJson } from "./outgoing/answer.js";
export { HostFailure, isHostFailure, retryAfterSeconds } from "./outgoing/host-failure.js";
export { unlessMissing } from "./reading/unless-missing.js";
export { openRegularFile, readBounded, readFileBounded, TooManyBytes } from "./reading/bounded-reading.js";
export { readSmallFile } from "./reading/small-file.js";
export { isWithin, resolveWithin } from "./reading/folders.js";
export { inBatches } from "./batches.js";
export { imageHeadBytes, imageTypeOf, imageTypeOfFile, ImageTypes } from "./reading/image-type.js";
export { pause, within } from "./waiting/limited-waiting.js";
export type { WaitLimit } from "./waiting/limited-waiting.js";
export { joinSignals } from "./waiting/joined-signal.js";
export type { JoinedSignal } from "./waiting/joined-signal.js";
export { AuthProviders, CredentialProviders, StatusParts } from "./kernel/points.js";
export type { AuthProvider, CredentialProvider, ExternalIdentity, SigningPeer, StatusPart } from "./kernel/points.js";
export { textIn } from "./texts/localized-text.js";
export { filledIn, translatedBy } from "./texts/translated-texts.js";
export type { Translating, Writing } from "./texts/translated-texts.js";
export type { LocalizedText } from "./texts/localized-text.js";
export type { Logger } from "./log.js";
export { KernelBackups } from "./kernel/backups.js";
export type { BackupSealing, CheckedBackup, KernelBackup, KernelBackupsContract } from "./kernel/backups.js";
export { KernelHousekeeping } from "./kernel/housekeeping.js";
export type { KernelHousekeepingContract } from "./kernel/housekeeping.js";
export { KernelInspection } from "./kernel/inspection.js";
export type { KernelInspectionContract, SaidText } from "./kernel/inspection.js";
export { KernelPlugins } from "./kernel/plugins.js";
export type { CatalogPlugin, InstalledPlugin } from "./kernel/plugins.js";
export { KernelUsers } from "./kernel/users.js";
export type { UserSummary } from "./kernel/users.js";
export { KernelLogs } from "./kernel/logs.js";
export type { LogFilter, LogLevel, LogLine } from "./kernel/logs.js";
export { KernelTraces } from "./kernel/traces.js";
export type { TraceOptions, TraceSpan, TraceSpans } from "./kernel/traces.js";
export { TaskThread } from "./task-thread.js";
export type { TaskAnswer, TaskError, TaskRequest, TaskShapes, TaskThreadOptions } from "./task-thread.js";
