import "reflect-metadata";
import path from "node:path";
import {
  AuthProviders,
  CredentialProviders,
  StatusParts,
  type AuthProvider,
  type Contributions,
  type CredentialProvider,
  type ExtensionPoint,
  type PluginContext,
  type PluginSettings,
  type StatusPart,
} from "@longbox/sdk";
import { container, instanceCachingFactory, type DependencyContainer, type InjectionToken } from "tsyringe";
import { openAccess, type Access } from "./access/access.js";
import { PermissionCatalog } from "./access/accounts/permissions.js";
import { serverSettings, type ServerSettings } from "./access/server-settings.js";
import { Backups, backupSettings } from "./backup/index.js";
import { EventHub, kernelDomains } from "./events/event-hub.js";
import { HttpDoor } from "./http/receiving/http-door.js";
import type { KernelOptions } from "./kernel-options.js";
import { openStores, type Stores } from "./kernel-stores.js";
import type { ServerLog } from "./logging/server-log.js";
import { SharedMemory } from "./memory/shared-memory.js";
import { usualMemoryBytes } from "./memory/memory-limit.js";
import { Hosts } from "./outgoing/hosts.js";
import { Outgoing } from "./outgoing/outgoing.js";
import { allowedPlacesOf } from "./outgoing/allowed-setting.js";
import { absentAt } from "./plugins/absent-plugins.js";
import { makeContext } from "./plugins/running/activation-context.js";
import { AuditTrail } from "./plugins/audit.js";
import { Capabilities } from "./plugins/contracts/capabilities.js";
import { Catalog } from "./plugins/packages/catalog.js";
import { ExtensionPoints } from "./plugins/contracts/extension-points.js";
import type { HostParts } from "./plugins/host-parts.js";
import { PluginHost } from "./plugins/plugin-host.js";
import { Preparing } from "./plugins/packages/preparing.js";
import { RegistryClient } from "./plugins/packages/registry-client.js";
import type { OpenScope, ScopeParts } from "./plugins/running/running-plugin.js";
import { PluginStore } from "./plugins/packages/store.js";
import { requestObserver } from "./request-log.js";
import { kernelVersion, sdkVersion } from "./versions.js";

/** What the parts of one running kernel are known by, where a class alone does not say it. */
export const Kernel = {
  Options: Symbol("options") as InjectionToken<KernelOptions>,
  Log: Symbol("log") as InjectionToken<ServerLog>,
  Signal: Symbol("signal") as InjectionToken<AbortSignal>,
  Stores: Symbol("stores") as InjectionToken<Stores>,
  Access: Symbol("access") as InjectionToken<Access>,
  ServerSettings: Symbol("server settings") as InjectionToken<PluginSettings<ServerSettings>>,
  HostParts: Symbol("host parts") as InjectionToken<HostParts>,
  Points: Symbol("extension points of the kernel") as InjectionToken<KernelPoints>,
} as const;

/** What belongs to one activation. */
const Activated = {
  Parts: Symbol("scope parts") as InjectionToken<ScopeParts>,
  Context: Symbol("context") as InjectionToken<PluginContext>,
} as const;

/** The extension points that the kernel itself opens. */
export interface KernelPoints {
  readonly authProviders: Contributions<AuthProvider>;
  readonly credentialProviders: Contributions<CredentialProvider>;
  readonly statusParts: Contributions<StatusPart>;
}

/** The parts of one kernel, by what they are known by. */
export type KernelParts = DependencyContainer;

/** Puts one kernel together. Nothing of it listens or runs yet. */
export async function compose(
  options: KernelOptions,
  log: ServerLog,
  signal: AbortSignal,
): Promise<DependencyContainer> {
  const kernel = container.createChildContainer();
  kernel.register(Kernel.Options, { useValue: options });
  kernel.register(Kernel.Log, { useValue: log });
  kernel.register(Kernel.Signal, { useValue: signal });
  const stores = await openStores(options, log, () => kernel.resolve(EventHub).changed("settings"));
  kernel.register(Kernel.Stores, { useValue: stores });
  log.cleanBy((value) => stores.settings.withoutSecrets(value));
  registerShared(kernel);
  registerPluginHost(kernel);
  kernel.register(Kernel.Access, { useValue: await makeAccess(kernel) });
  return kernel;
}

/** One of each in a kernel, made when it is first asked for. */
function once<T>(kernel: DependencyContainer, token: InjectionToken<T>, make: (from: DependencyContainer) => T): void {
  kernel.register(token, { useFactory: instanceCachingFactory(() => make(kernel)) });
}

function registerShared(kernel: DependencyContainer): void {
  const report = (plugin: string, fault: unknown, where: string) =>
    kernel.resolve(PluginHost).reportFault(plugin, fault, where);
  once(kernel, PermissionCatalog, () => new PermissionCatalog());
  once(kernel, Capabilities, () => new Capabilities(report));
  once(kernel, ExtensionPoints, () => new ExtensionPoints(report));
  once(kernel, Kernel.Points, (from) => openPoints(from.resolve(ExtensionPoints)));
  once(kernel, Kernel.ServerSettings, (from) => from.resolve(Kernel.Stores).settings.open("server", serverSettings));
  once(kernel, Hosts, () => new Hosts());
  once(kernel, Outgoing, (from) => {
    const settings = from.resolve(Kernel.ServerSettings);
    const outgoing = new Outgoing(allowedPlacesOf(settings));
    settings.onChange((next, former) => next.outgoingAllowed !== former.outgoingAllowed && void outgoing.renew());
    return outgoing;
  });
  once(kernel, SharedMemory, (from) => {
    const settings = from.resolve(Kernel.ServerSettings);
    const usual = usualMemoryBytes();
    return new SharedMemory(() => settings.current.memoryMegabytes * 1_000_000 || usual);
  });
  once(kernel, EventHub, (from) => {
    const hub = new EventHub(from.resolve(PermissionCatalog), from.resolve(Kernel.Access).revocations);
    hub.declare("kernel", kernelDomains);
    return hub;
  });
  once(kernel, Backups, (from) => {
    const { settings, storing } = from.resolve(Kernel.Stores);
    return new Backups({
      folder: from.resolve(Kernel.Options).dataFolder,
      storing,
      settings: settings.open("backup", backupSettings),
      log: from.resolve(Kernel.Log).logger("backup"),
      version: kernelVersion,
    });
  });
  once(kernel, HttpDoor, (from) => {
    const { trustProxy } = from.resolve(Kernel.Options);
    const access = from.resolve(Kernel.Access);
    return new HttpDoor({
      catalog: from.resolve(PermissionCatalog),
      access: { requests: access.authentication, schemes: access.schemes },
      absent: { failure: (path) => absentAt(from.resolve(PluginHost).fleet, path) },
      observer: requestObserver(from.resolve(Kernel.Log).logger("http")),
      presence: {
        get starting() {
          return from.resolve(PluginHost).starting;
        },
      },
      ...(trustProxy === undefined ? {} : { trustProxy }),
    });
  });
}

function registerPluginHost(kernel: DependencyContainer): void {
  once(kernel, PluginStore, (from) => new PluginStore(path.join(from.resolve(Kernel.Options).dataFolder, "plugins")));
  once(
    kernel,
    RegistryClient,
    (from) =>
      new RegistryClient(
        from.resolve(Kernel.Options).registry,
        from.resolve(Outgoing).fetchUntil(from.resolve(Kernel.Signal)),
      ),
  );
  once(
    kernel,
    Catalog,
    (from) =>
      new Catalog(
        from.resolve(RegistryClient),
        from.resolve(Kernel.Stores).catalog,
        sdkVersion,
        from.resolve(Kernel.Log).logger("plugins"),
      ),
  );
  once(kernel, AuditTrail, (from) => new AuditTrail(from.resolve(Kernel.Stores).kernel.database()));
  once(
    kernel,
    Preparing,
    (from) =>
      new Preparing(
        from.resolve(RegistryClient),
        from.resolve(PluginStore),
        sdkVersion,
        knownIntegrity(from.resolve(Kernel.Stores)),
        from.resolve(Kernel.Options).plugins?.packages,
      ),
  );
  once(kernel, Kernel.HostParts, hostParts);
  once(kernel, PluginHost, (from) => {
    return new PluginHost({
      parts: from.resolve(Kernel.HostParts),
      capabilities: from.resolve(Capabilities),
      points: from.resolve(ExtensionPoints),
      lock: from.resolve(Kernel.Stores).lock,
      store: from.resolve(PluginStore),
      preparing: from.resolve(Preparing),
      catalog: from.resolve(Catalog),
      registry: from.resolve(RegistryClient),
      audit: from.resolve(AuditTrail),
      scope: openScope(from),
      ...from.resolve(Kernel.Options).plugins,
    });
  });
}

function hostParts(from: DependencyContainer): HostParts {
  const door = from.resolve(HttpDoor);
  const { settings, storing } = from.resolve(Kernel.Stores);
  const log = from.resolve(Kernel.Log);
  return {
    routes: door.routes,
    files: door.files,
    permissions: from.resolve(PermissionCatalog),
    events: from.resolve(EventHub),
    settings,
    storage: storing,
    accounts: from.resolve(Kernel.Access).notices,
    outgoing: from.resolve(Outgoing),
    hosts: from.resolve(Hosts),
    memory: from.resolve(SharedMemory),
    roles: from.resolve(Kernel.Access).roles,
    logger: (source) => log.logger(source),
  };
}

/** Each activation is wired in a child container of its own, which ends with it. */
function openScope(kernel: DependencyContainer): OpenScope {
  return (parts) => {
    const scope = kernel.createChildContainer();
    scope.register(Activated.Parts, { useValue: parts });
    scope.register(Activated.Context, {
      useFactory: (from) => makeContext({ ...from.resolve(Activated.Parts), parts: from.resolve(Kernel.HostParts) }),
    });
    return { context: scope.resolve(Activated.Context), release: async () => void (await scope.dispose()) };
  };
}

function makeAccess(kernel: DependencyContainer): Promise<Access> {
  const options = kernel.resolve(Kernel.Options);
  const points = kernel.resolve(Kernel.Points);
  return openAccess({
    database: kernel.resolve(Kernel.Stores).database,
    catalog: kernel.resolve(PermissionCatalog),
    settings: kernel.resolve(Kernel.ServerSettings),
    authProviders: points.authProviders,
    credentialProviders: points.credentialProviders,
    log: kernel.resolve(Kernel.Log).logger("access"),
    setupToken: options.setupToken,
    changed: () => kernel.resolve(EventHub).changed("users"),
  });
}

function openPoints(points: ExtensionPoints): KernelPoints {
  const open = <T extends object>(point: ExtensionPoint<T>) =>
    points.open({ id: "kernel" }, point.id) as Contributions<object> as Contributions<T>;
  return {
    authProviders: open(AuthProviders),
    credentialProviders: open(CredentialProviders),
    statusParts: open(StatusParts),
  };
}

function knownIntegrity(stores: Stores): (packageName: string, version: string) => string | undefined {
  return (packageName, version) => {
    const entry = stores.lock.read().plugins.find((known) => known.package === packageName);
    return [entry, entry?.previous].find((kept) => kept?.version === version)?.integrity;
  };
}
