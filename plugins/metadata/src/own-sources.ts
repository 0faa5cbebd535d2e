import type { OutgoingHost, PluginContext, PluginSettings, Releasable } from "@longbox/sdk";
import type { MetadataSource } from "./contract.js";
import { KeyRefused } from "./upstream-errors.js";
import type { MetadataSettings } from "./settings.js";
import { KeptAnswers } from "./source/answers.js";
import { comicVineSource } from "./source/comicvine.js";
import { ProviderClient, type ProviderAccess } from "./source/provider-client.js";
import { Registration, instanceSchema } from "./source/registration.js";
import { Shaping } from "./source/shaping.js";
import { ProviderTrouble } from "./source/trouble.js";
import type { MetadataTables } from "./tables.js";

export interface OwnSources {
  readonly sources: readonly MetadataSource[];
  /** The same against an address and a key that are not saved yet. */
  trial(settings: { source: string; baseUrl: string; apiKey: string }): MetadataSource | undefined;
  readonly answers: KeptAnswers;
  readonly trouble: ProviderTrouble;
}

const timing = { timeoutMs: 20_000, firstDelayMs: 500, longestWaitMs: 15_000 };

type Context = PluginContext<MetadataSettings>;
type OpenClient = (access: () => Promise<ProviderAccess>, noted?: ProviderTrouble) => ProviderClient;

/** The two sources of the plugin: ComicVine with the user's key, and hosted sources that give each server a key. */
export async function openOwnSources(context: Context): Promise<OwnSources> {
  const answers = new KeptAnswers(context.storage.database<MetadataTables>(), context.parseJson);
  const trouble = new ProviderTrouble();
  const client: OpenClient = (access, noted = trouble) =>
    new ProviderClient({
      fetch: context.fetch,
      host: (baseUrl) => hostOf(context, baseUrl),
      trouble: noted,
      answers,
      timing,
      access,
    });
  context.own(forgetTrouble(context, trouble));
  const registration = new Registration(context.fetch, await context.storage.document("instance", instanceSchema));
  const parts = { context, answers, client, shaping: context.own(new Shaping(context)) };
  return {
    sources: [keyedSource(parts), hostedSource(parts, registration)],
    answers,
    trouble,
    trial: (settings) => trialSource(parts, settings),
  };
}

/** One request at a time: the provider counts them by the hour, and penalises bursts. */
function hostOf(context: Context, baseUrl: string): OutgoingHost {
  const { requestsPerHour, spacingMs } = context.settings.current;
  return context.host(baseUrl, { atOnce: 1, perHour: requestsPerHour, spacingMs });
}

/** Resets failures, because the new address or key may work. */
function forgetTrouble(context: Context, trouble: ProviderTrouble): Releasable {
  return context.settings.onChange((next, previous) => {
    const same = (["baseUrl", "apiKey", "instanceKey"] as const).every((name) => next[name] === previous[name]);
    if (same) return;
    hostOf(context, next.baseUrl).reset();
    trouble.note(undefined);
  });
}

interface SourceParts {
  readonly context: Context;
  readonly answers: KeptAnswers;
  readonly client: OpenClient;
  readonly shaping: Shaping;
}

function keyedSource({ context: { settings }, answers, client, shaping }: SourceParts): MetadataSource {
  return comicVineSource({
    id: "comicvine",
    label: "ComicVine",
    answers,
    shaping,
    registered: () => settings.current.apiKey !== "",
    client: client(async () => accessOf(settings, settings.current.apiKey)),
  });
}

function hostedSource(
  { context: { settings }, answers, client, shaping }: SourceParts,
  registration: Registration,
): MetadataSource {
  const instanceKey = () => settings.current.instanceKey || registration.keyFor(settings.current.baseUrl);
  const register = () => registration.register(settings.current.baseUrl);
  return comicVineSource({
    id: "hosted",
    label: "The hosted source",
    answers,
    shaping,
    register,
    registered: () => instanceKey() !== "",
    client: client(async () => {
      if (instanceKey() === "") await register();
      return accessOf(settings, instanceKey());
    }),
  });
}

/** The source with unsaved settings. Earlier failures do not delay the request, because a user waits. */
function trialSource(
  { context, answers, client, shaping }: SourceParts,
  { source, baseUrl, apiKey }: { source: string; baseUrl: string; apiKey: string },
): MetadataSource | undefined {
  if (source !== "comicvine") return undefined;
  const access = async () => ({ ...accessOf(context.settings, apiKey), baseUrl });
  if (URL.canParse(baseUrl)) hostOf(context, baseUrl).reset();
  return comicVineSource({
    id: source,
    label: "ComicVine",
    answers,
    shaping,
    registered: () => apiKey !== "",
    client: client(access, new ProviderTrouble()),
  });
}

/** @throws {KeyRefused} before anything is sent when there is no key */
function accessOf(settings: PluginSettings<MetadataSettings>, key: string): ProviderAccess {
  const { baseUrl, userAgent, keepHours } = settings.current;
  if (key === "") throw new KeyRefused("No key for the metadata provider is configured.");
  return { baseUrl, key, userAgent, keepMs: keepHours * 3_600_000 };
}
