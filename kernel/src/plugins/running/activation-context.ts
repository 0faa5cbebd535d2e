import {
  type Contract,
  type ContributionRules,
  type Contributions,
  type ExtensionPoint,
  type PluginContext,
  type PluginSettings,
  type Releasable,
  type Route,
  type WorkerLimits,
} from "@longbox/sdk";
import type { Rules } from "../contracts/contribution-rules.js";
import { Activation } from "./activation.js";
import { currentOwner } from "../containment/attribution.js";
import { HostParts } from "../host-parts.js";
import { parseJsonBy } from "../../parsing/json-doors.js";
import { memoryOf } from "./activation-memory.js";
import { startPluginWorker, workerUrl } from "./plugin-workers.js";
import { satisfies } from "../contracts/satisfying.js";
import { makeTopic } from "./topics.js";
import { inject, injectable } from "../../injection.js";
import { FaultReports } from "../containment/fault-reports.js";
import { ActivatedStorage } from "./activated.js";
import {
  checkGivenContract,
  checkGivenContribution,
  checkGivenRoutes,
  checkGivenRules,
  checkGivenToken,
  checkListener,
  checkOwned,
} from "./given.js";
import { Registrations } from "./registrations.js";
import { checkOpened, Undeclared } from "./undeclared.js";
import type { OpenStorage } from "../../storage/storing.js";

/** Makes the context that `activate` gets. Everything in it is owned by the activation and released with it. */
@injectable()
export class ContextMaking {
  constructor(
    @inject(Activation) private readonly activation: Activation,
    @inject(Registrations) private readonly registrations: Registrations,
    @inject(ActivatedStorage) private readonly storage: OpenStorage,
    @inject(HostParts) private readonly parts: HostParts,
    @inject(FaultReports) private readonly faults: FaultReports,
  ) {}

  make(settings: PluginSettings<unknown>): PluginContext {
    const { activation, parts, storage } = this;
    return {
      plugin: { id: activation.id, package: activation.plugin.package, version: activation.plugin.version },
      log: parts.logger(activation.id),
      signal: activation.signal,
      settings: ownedSettings(activation, settings),
      storage,
      parseJson: parseJsonBy(parts.json),
      memory: activation.own(memoryOf(parts.memory, activation)),
      own(thing) {
        checkOwned(activation.id, thing);
        return activation.own(thing);
      },
      topic: <T>(name: string) =>
        activation.ownUntilReleased(
          makeTopic<T>(activation, name, { subscriber: currentOwner, report: this.faults.report }),
        ),
      worker<In, Out>(name: string, data?: unknown, limits?: WorkerLimits) {
        // A thread that is ended at once could have written to the disk by then.
        activation.refuseStopped();
        const worker = activation.ownUntilReleased(startPluginWorker<In, Out>(activation, name, { data, limits }));
        const disown = () => activation.disown(worker);
        worker.ended.then(disown, disown);
        return worker;
      },
      workerUrl: (name) => workerUrl(activation, name),
      ...this.#outgoing(),
      ...this.#offering(),
      ...this.#announcing(),
    };
  }

  /** Requests to other servers. */
  #outgoing(): Pick<PluginContext, "fetch" | "host"> {
    const { activation, parts } = this;
    const doors = parts.outgoing.until(activation.signal, activation.plugin.manifest.hosts);
    const hosts = activation.own(parts.hosts.forPlugin(doors, activation.signal));
    const fetch: typeof doors.fetch = async (...parameters) => {
      activation.refuseStopped();
      return doors.fetch(...parameters);
    };
    const host: PluginContext["host"] = (url, limits) => {
      activation.refuseStopped();
      return hosts.of(url, limits);
    };
    return { fetch, host };
  }

  /** What the plugin adds for others, as far as its manifest declares it. */
  #offering(): Pick<PluginContext, "provide" | "routes" | "open" | "contribute"> {
    const { activation, registrations } = this;
    const { manifest } = activation.plugin;
    return {
      provide(token: Contract<object>, implementation: object) {
        activation.refuseStopped();
        checkGivenContract(activation.id, token, implementation);
        checkProvided(activation, token);
        registrations.provide(token.id, token.version, implementation);
      },
      routes(routes) {
        activation.refuseStopped();
        checkGivenRoutes(activation.id, routes);
        for (const route of routes) checkPublic(activation, route);
        registrations.route(routes);
      },
      open<T extends object>(point: ExtensionPoint<T>, rules?: ContributionRules<T>) {
        checkGivenToken(activation.id, "open", point);
        checkGivenRules(activation.id, point, rules);
        checkOpened(activation.id, manifest, point);
        // Contributions are kept by the id of their point; its token is the only thing that knows their type.
        return activation.ownUntilReleased(registrations.open(point, rules as Rules) as Contributions<T> & Releasable);
      },
      contribute(point, contribution) {
        checkGivenContribution(activation.id, point, contribution);
        const range = manifest.contributes[point.id];
        if (range === undefined || !satisfies(point.version, range))
          throw new Undeclared(
            "kernel/undeclared-contribution",
            `The plugin "${activation.id}" does not say in its manifest that it adds to "${point.id}" ${point.version}.`,
          );
        return activation.ownUntilReleased(registrations.contribute({ point: point.id, range, contribution }));
      },
    };
  }

  /** What the plugin tells others, and hears of accounts. */
  #announcing(): Pick<PluginContext, "changed" | "onUserDeleted" | "onUserAdopted"> {
    const { activation, parts } = this;
    const accounts = parts.accounts.watching(activation.id);
    return {
      changed(domain, options) {
        if (!activation.plugin.manifest.events.some((event) => event.domain === domain))
          throw new Undeclared(
            "kernel/undeclared-domain",
            `The plugin "${activation.id}" does not declare the event domain "${domain}".`,
          );
        // What it releases at its end may still tell of it; afterwards there is nothing to tell.
        if (activation.isOver) activation.refuseStopped();
        if (!activation.signal.aborted) parts.events.changed(domain, options?.userIds);
      },
      onUserDeleted(listener) {
        checkListener(activation.id, "onUserDeleted", listener);
        activation.own(accounts.onUserDeleted((userId) => activation.run(() => listener(userId))));
      },
      onUserAdopted(listener) {
        checkListener(activation.id, "onUserAdopted", listener);
        activation.own(accounts.onUserAdopted((change) => activation.run(() => listener(change))));
      },
    };
  }
}

/** An administrator sees before the installation which routes need no account. */
function checkPublic({ id, plugin, isGuest }: Activation, { method, path, access }: Route): void {
  const name = `${method} ${path}`;
  if (access !== "public" || !isGuest) return;
  if (plugin.manifest.publicRoutes.includes(name)) return;
  throw new Undeclared(
    "kernel/undeclared-public-route",
    `The plugin "${id}" has the public route ${name}, which its manifest does not name in publicRoutes.`,
  );
}

function checkProvided(activation: Activation, token: Contract<object>): void {
  const declared = activation.plugin.manifest.provides[token.id];
  if (declared === token.version) return;
  const found = declared === undefined ? "nothing" : `version ${declared}`;
  throw new Undeclared(
    "kernel/undeclared-capability",
    `The plugin "${activation.id}" provides "${token.id}" ${token.version}, but its manifest declares ${found}.`,
  );
}

function ownedSettings(activation: Activation, settings: PluginSettings<unknown>): PluginSettings<unknown> {
  return {
    get current() {
      return settings.current;
    },
    unmasked: (values) => settings.unmasked(values),
    onChange(listener) {
      checkListener(activation.id, "settings.onChange", listener);
      const heard = (next: unknown, previous: unknown) =>
        void activation
          .run(async () => listener(next, previous))
          .catch((fault: unknown) => activation.reportFault(fault, "a settings listener"));
      return activation.ownUntilReleased(settings.onChange(heard));
    },
  };
}
