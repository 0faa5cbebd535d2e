import type { PluginContext, PluginSettings } from "@longbox/sdk";
import type { MetadataSource } from "./contract.js";
import { KeyRefused } from "./upstream-errors.js";
import type { MetadataSettings } from "./settings.js";
import { KeptAnswers } from "./source/answers.js";
import { comicVineSource } from "./source/comicvine.js";
import { ProviderClient, type ProviderAccess } from "./source/provider-client.js";
import { Registration, instanceSchema } from "./source/registration.js";
import { ProviderTrouble } from "./source/trouble.js";
import type { MetadataTables } from "./tables.js";

export interface OwnSources {
  readonly sources: readonly MetadataSource[];
  /** The same against an address and a key that are not saved yet. */
  trial(wish: { source: string; baseUrl: string; apiKey: string }): MetadataSource | undefined;
  readonly answers: KeptAnswers;
  readonly trouble: ProviderTrouble;
}

const timing = { timeoutMs: 20_000, firstDelayMs: 500, longestWaitMs: 15_000 };

/** The two sources that come with the plugin: ComicVine with a person's key, and hosted ones that give each server a key. */
export async function openOwnSources(context: PluginContext<MetadataSettings>): Promise<OwnSources> {
  const { settings } = context;
  const answers = new KeptAnswers(context.storage.database<MetadataTables>());
  const registration = new Registration(context.fetch, await context.storage.document("instance", instanceSchema));
  const trouble = new ProviderTrouble();
  /** One request at a time: the provider counts them by the hour, and looks askance at bursts. */
  const host = (baseUrl: string) =>
    context.host(baseUrl, {
      atOnce: 1,
      perHour: settings.current.requestsPerHour,
      spacingMs: settings.current.spacingMs,
    });
  context.own(
    settings.onChange((next, previous) => {
      if (
        next.baseUrl !== previous.baseUrl ||
        next.apiKey !== previous.apiKey ||
        next.instanceKey !== previous.instanceKey
      ) {
        host(next.baseUrl).reset();
        trouble.note(undefined);
      }
    }),
  );
  const client = (access: () => Promise<ProviderAccess>, noted = trouble) =>
    new ProviderClient({ fetch: context.fetch, host, trouble: noted, answers, timing, access });
  const instanceKey = () => settings.current.instanceKey || registration.keyFor(settings.current.baseUrl);
  const register = () => registration.register(settings.current.baseUrl);

  const comicvine = comicVineSource({
    id: "comicvine",
    label: "ComicVine",
    answers,
    registered: () => settings.current.apiKey !== "",
    client: client(async () => accessOf(settings, settings.current.apiKey)),
  });
  const hosted = comicVineSource({
    id: "hosted",
    label: "The hosted source",
    answers,
    register,
    registered: () => instanceKey() !== "",
    client: client(async () => {
      if (instanceKey() === "") await register();
      return accessOf(settings, instanceKey());
    }),
  });
  return {
    sources: [comicvine, hosted],
    answers,
    trouble,
    trial: ({ source, baseUrl, apiKey }) => {
      if (source !== "comicvine") return undefined;
      const access = async () => ({ ...accessOf(settings, apiKey), baseUrl });
      // A person wants to know now, whatever came of earlier requests.
      if (URL.canParse(baseUrl)) host(baseUrl).reset();
      return comicVineSource({
        id: source,
        label: "ComicVine",
        answers,
        registered: () => apiKey !== "",
        client: client(access, new ProviderTrouble()),
      });
    },
  };
}

/** @throws {KeyRefused} before anything is sent when there is no key */
function accessOf(settings: PluginSettings<MetadataSettings>, key: string): ProviderAccess {
  const { baseUrl, userAgent, keepHours } = settings.current;
  if (key === "") throw new KeyRefused("No key for the metadata provider is set.");
  return { baseUrl, key, userAgent, keepMs: keepHours * 3_600_000 };
}
