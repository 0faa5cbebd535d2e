import type { OutgoingHost, PluginContext } from "@longbox/sdk";
import { KeptAnswers } from "./asking/answers.js";
import { WorkCovers } from "./asking/covers.js";
import { LibraryClient } from "./asking/library-client.js";
import { OpenLibrary } from "./asking/open-library.js";
import { Trouble } from "./asking/trouble.js";
import type { TrialValues } from "./routes/test-route.js";
import type { OpenLibrarySettings } from "./settings.js";
import type { OpenLibraryTables } from "./tables.js";

type Context = PluginContext<OpenLibrarySettings>;

/** Open Library as the settings name it. */
export interface OpenedLibrary {
  readonly openLibrary: OpenLibrary;
  readonly covers: WorkCovers;
  readonly answers: KeptAnswers;
  readonly trouble: Trouble;
  /** The same with values that are not saved yet. Earlier failures do not delay it, because a user waits. */
  trial(values: TrialValues): OpenLibrary;
  pageOf(workId: string): string;
}

const keptCoversBytes = 256 * 1024 * 1024;

export async function openOpenLibrary(context: Context): Promise<OpenedLibrary> {
  const { settings, storage, fetch } = context;
  const database = storage.database<OpenLibraryTables>();
  const answers = new KeptAnswers(database, context.parseJson);
  const trouble = new Trouble();
  const withTrial = ({ baseUrl, contact }: TrialValues): OpenLibrarySettings => ({
    ...settings.current,
    ...(baseUrl !== undefined && { baseUrl }),
    ...(contact !== undefined && { contact }),
  });
  const opened = (values: TrialValues, noted: Trouble) => {
    const current = () => withTrial(values);
    const access = () => accessOf(current());
    const host = () => hostOf(context, current());
    return new OpenLibrary(new LibraryClient({ fetch, host, access, answers, trouble: noted }));
  };
  context.own(settings.onChange((next) => forgetTrouble(context, next, trouble)));
  const covers = new WorkCovers({
    database,
    fetch,
    cache: await storage.cache("covers", { maxBytes: keptCoversBytes }),
    host: () => context.host(settings.current.coversUrl, { atOnce: 2, spacingMs: 100 }),
    access: () => ({ coversUrl: settings.current.coversUrl, userAgent: userAgentOf(settings.current) }),
  });
  return {
    openLibrary: opened({}, trouble),
    covers,
    answers,
    trouble,
    trial: (values) => {
      hostOf(context, withTrial(values)).reset();
      return opened(values, new Trouble());
    },
    pageOf: (workId) => `${settings.current.baseUrl.replace(/\/+$/, "")}/works/${workId}`,
  };
}

type Access = Pick<OpenLibrarySettings, "baseUrl" | "contact" | "keepDays">;

function accessOf({ baseUrl, keepDays, ...settings }: Access) {
  return { baseUrl, userAgent: userAgentOf(settings), keepMs: keepDays * 86_400_000 };
}

/** Open Library allows three times as many requests to servers that name a contact. */
function hostOf(context: Context, { baseUrl, contact, spacingMs }: OpenLibrarySettings): OutgoingHost {
  return context.host(baseUrl, { atOnce: 1, spacingMs: contact === "" ? spacingMs : Math.ceil(spacingMs / 3) });
}

/** Only characters that a header may hold. */
function userAgentOf({ contact }: Pick<Access, "contact">): string {
  const named = contact.replaceAll(/[^\x21-\x7e ]/g, "").replaceAll(/[()]/g, "");
  return named === "" ? "Longbox/1.0 (self-hosted library)" : `Longbox/1.0 (${named})`;
}

/** Another address or contact may work. */
function forgetTrouble(context: Context, settings: OpenLibrarySettings, trouble: Trouble): void {
  hostOf(context, settings).reset();
  trouble.note(undefined);
}
