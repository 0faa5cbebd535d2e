import {
  AuthProviders,
  CredentialProviders,
  StatusParts,
  type ContributionRules,
  type Contributions,
  type ExtensionPoint,
} from "@longbox/sdk";
import { authRules, credentialRules, statusRules } from "./access/contribution-rules.js";
import { OfferedAuthProviders, OfferedCredentialProviders, OfferedStatusParts } from "./access/access-tokens.js";
import { AccessLog, AccountsChanged } from "./access/access-tokens.js";
import { accessClasses, openAccess } from "./access/access.js";
import { ServerSettingsSource, serverSettings } from "./access/server-settings.js";
import { AccessDatabase } from "./access/tables.js";
import { BackupExchange, BackupUpload, Backups, BackupsOptions, backupSettings } from "./backup/index.js";
import { EventHub, kernelDomains } from "./events/event-hub.js";
import { takeHistory } from "./events/kept-history.js";
import { httpClasses } from "./http/receiving/http-door.js";
import { AbsentPaths, Presence, RequestObserver } from "./http/routing/dispatcher.js";
import { Parts } from "./injection.js";
import type { KernelOptions } from "./kernel-options.js";
import { openStores, Stores } from "./kernel-stores.js";
import {
  BasePath,
  DataFolder,
  PeerSecret,
  RegistryTokenFile,
  RegistryUrl,
  SdkVersion,
  SetupToken,
  Stopping,
  TrustedProxies,
  TrustedRootFile,
} from "./kernel-tokens.js";
import { Logs } from "./logging/logs.js";
import { ServerLog } from "./logging/server-log.js";
import { SlowWork } from "./measuring/slow-work.js";
import { Traces } from "./measuring/traces.js";
import { UseOfOwners } from "./measuring/use-of-owners.js";
import { memoryLimitOf } from "./memory/memory-limit.js";
import { MemoryLimit, SharedMemory } from "./memory/shared-memory.js";
import { AllowedOutside, allowedPlacesOf } from "./outgoing/allowed-setting.js";
import { Hosts } from "./outgoing/hosts.js";
import { Outgoing } from "./outgoing/outgoing.js";
import { OutgoingObserver } from "./outgoing/outgoing-observer.js";
import { OutsideJson } from "./parsing/outside-json.js";
import { AbsentPlugins } from "./plugins/absent-plugins.js";
import { AuditDatabase } from "./plugins/audit.js";
import { ExtensionPoints } from "./plugins/contracts/extension-points.js";
import { Blockings, BlockingsDocument, RefusedInputs } from "./plugins/containment/blockings.js";
import { PluginHostTuning } from "./plugins/host-tuning.js";
import { Fleet } from "./plugins/installed/fleet.js";
import { LockFile } from "./plugins/installed/lock-file.js";
import { CatalogDocument } from "./plugins/packages/catalog.js";
import { AuthorsDocument } from "./plugins/publishing/authors.js";
import { pluginHostClasses } from "./plugins/plugin-host-classes.js";
import { requestObserver, type Measures } from "./request-log.js";
import { SettingsKeeping } from "./settings/index.js";
import { Storing, type QueryListener } from "./storage/index.js";
import { kernelVersion, sdkVersion } from "./versions.js";

/** Puts one kernel together. Nothing of it listens or runs yet. */
export async function compose(options: KernelOptions, log: ServerLog, stopping: AbortSignal): Promise<Parts> {
  const use = new UseOfOwners();
  const slow = new SlowWork(log.logger("slow"), options.slowMs);
  const traces = new Traces();
  const kernel = new Parts()
    .classes(...accessClasses, ...httpClasses, ...pluginHostClasses)
    .classes(EventHub, Backups, BackupExchange, BackupUpload, Hosts, OutsideJson, Outgoing, SharedMemory)
    .alias(AbsentPaths, AbsentPlugins)
    .alias(Presence, Fleet)
    .alias(RefusedInputs, Blockings)
    .value(SdkVersion, sdkVersion)
    .value(Stopping, stopping)
    .value(ServerLog, log)
    .value(Logs, log)
    .value(AccessLog, log.logger("access"))
    .value(UseOfOwners, use)
    .value(Traces, traces)
    .value(OutgoingObserver, traces)
    .value(RequestObserver, requestObserver(log.logger("http"), { use, slow, traces }));
  registerOptions(kernel, options);
  const events = kernel.get(EventHub);
  events.declare("kernel", kernelDomains);
  kernel.value(AccountsChanged, () => events.changed("users"));
  const settingsChanged = () => events.changed("settings");
  const stores = await openStores(options, log, { settingsChanged, queried: measuredBy({ use, slow, traces }) });
  const history = await takeHistory(options.dataFolder);
  if (history) events.resume(history);
  log.cleanBy((value) => stores.settings.withoutSecrets(value));
  registerStores(kernel, stores, options);
  registerPoints(kernel);
  await openAccess(kernel);
  return kernel;
}

function registerOptions(kernel: Parts, options: KernelOptions): void {
  kernel
    .value(DataFolder, options.dataFolder)
    .value(RegistryUrl, options.registry)
    .value(RegistryTokenFile, options.registryTokenFile ?? "")
    .value(TrustedRootFile, options.trustedRootFile ?? "")
    .value(SetupToken, options.setupToken)
    .value(TrustedProxies, options.trustProxy)
    .value(BasePath, options.basePath ?? "")
    .value(PeerSecret, options.peerSecret)
    .value(PluginHostTuning, options.plugins ?? {});
}

const measuredBy =
  ({ use, slow, traces }: Measures): QueryListener =>
  (owner, sql, milliseconds) => {
    use.queried(owner, milliseconds);
    slow.queried(owner, sql, milliseconds);
    traces.queried(owner, sql, milliseconds);
  };

function registerStores(kernel: Parts, stores: Stores, { dataFolder: folder }: KernelOptions): void {
  const { storing, settings } = stores;
  const server = settings.open("server", serverSettings);
  const log = kernel.get(Logs).logger("backup");
  kernel
    .value(Stores, stores)
    .value(Storing, storing)
    .value(SettingsKeeping, settings)
    .value(LockFile, stores.lock)
    .value(CatalogDocument, stores.catalog)
    .value(AuthorsDocument, stores.authors)
    .value(BlockingsDocument, stores.blockings)
    .value(AccessDatabase, stores.database)
    .value(AuditDatabase, stores.kernel.database())
    .value(ServerSettingsSource, server)
    .value(AllowedOutside, allowedPlacesOf(server))
    .value(MemoryLimit, memoryLimitOf(server))
    .value(BackupsOptions, {
      folder,
      storing,
      settings: settings.open("backup", backupSettings),
      log,
      version: kernelVersion,
    });
  const outgoing = kernel.get(Outgoing);
  server.onChange((next, former) => next.outgoingAllowed !== former.outgoingAllowed && void outgoing.renew());
}

/** The extension points that the kernel itself opens. */
function registerPoints(kernel: Parts): void {
  const points = kernel.get(ExtensionPoints);
  const open = <T extends object>(point: ExtensionPoint<T>, rules: ContributionRules<T>) =>
    points.open(
      { id: "kernel" },
      point,
      rules as ContributionRules<object>,
    ) as Contributions<object> as Contributions<T>;
  kernel
    .value(OfferedAuthProviders, open(AuthProviders, authRules))
    .value(OfferedCredentialProviders, open(CredentialProviders, credentialRules))
    .value(OfferedStatusParts, open(StatusParts, statusRules));
}
