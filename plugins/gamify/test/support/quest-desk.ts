import { mkdir, realpath } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Collection, LibraryTypes, type CollectionContract, type ReadFile } from "@longbox/collection/contract";
import type { Answer, Leaderboard, Profile } from "@longbox/gamify/api";
import { startKernelTestHost } from "@longbox/kernel/testing";
import { Reading, type ReadingContract, type ReadingReport } from "@longbox/reading/contract";
import { definePlugin, KernelUsers } from "@longbox/sdk";
import type { TestClient, TestHost, TestHostOptions } from "@longbox/sdk/testing";
import { vi } from "vitest";

/** Stands for the web reader: only whether it runs is asked. */
const reader = {
  manifest: { id: "reader", title: "Reader", description: "", sdk: "^1.0.0" },
  plugin: definePlugin({ activate: () => {} }),
};
/** A type of libraries whose works are heard. */
const tapes = {
  manifest: { id: "tapes", title: "Tapes", description: "", sdk: "^1.0.0", contributes: { libraryTypes: "^1.0.0" } },
  plugin: definePlugin({
    activate: (_, context) =>
      void context.contribute(LibraryTypes, {
        id: "tape",
        label: "Tapes",
        words: { unit: { one: "tape", other: "tapes" }, length: "seconds", named: "by-title" },
      }),
  }),
};

export interface SeriesPlan {
  readonly series: string;
  readonly numbers: readonly string[];
  readonly pages?: number;
  readonly seconds?: number;
  readonly type?: "comic" | "manga" | "tape";
  readonly writer?: string;
  readonly coverDate?: string;
  readonly language?: string;
}

/** A server with works that are known without files, and users who read them. */
export interface QuestDesk extends AsyncDisposable {
  readonly host: TestHost;
  readonly library: CollectionContract;
  readonly reading: ReadingContract;
  place(plan: SeriesPlan): Promise<number[]>;
  /** A new user with these permissions; `library.view` alone by default. */
  join(name: string, permissions?: readonly string[]): Promise<Player>;
}

export interface Player {
  readonly client: TestClient;
  readonly userId: number;
  /** Reports the last page of so many as shown. */
  read(issueId: number, pages: number, more?: Partial<ReadingReport>): Promise<void>;
  finish(...issueIds: number[]): Promise<void>;
  mark(issueIds: readonly number[], isRead: boolean): Promise<void>;
  answer(): Promise<Answer>;
  /** What the user sees; the test fails when it is not ready. */
  me(): Promise<Profile>;
  board(): Promise<Leaderboard>;
}

export const pagesEach = 20;

export async function openQuestDesk(options: TestHostOptions = {}): Promise<QuestDesk> {
  const host = await startKernelTestHost({
    ...options,
    plugins: ["collection", "reading", "gamify", reader, tapes, ...(options.plugins ?? [])],
  });
  const library = host.use(Collection);
  const libraries = new Map<string, { id: number; root: string }>();
  return {
    host,
    library,
    reading: host.use(Reading),
    place: async (plan) => {
      const type = plan.type ?? "comic";
      const found = libraries.get(type) ?? (await openLibrary(host, type));
      libraries.set(type, found);
      const placed = await library.placeFiles(plan.numbers.map((number) => fileOf(plan, number, found)));
      return placed.map(({ issueId }) => issueId);
    },
    join: (name, permissions = ["library.view"]) => joinAs(host, name, permissions),
    [Symbol.asyncDispose]: () => host[Symbol.asyncDispose](),
  };
}

async function joinAs(host: TestHost, name: string, permissions: readonly string[]): Promise<Player> {
  const known = (await host.as("admin").get("/api/roles")).body as Array<{ name: string }>;
  if (!["viewer", "trusted", "admin"].includes(name) && !known.some((role) => role.name === name))
    await host.as("admin").post("/api/roles", { name, label: name, permissions });
  const client = host.as(name);
  const userId: number = (await client.get("/api/auth/me")).body.user.id;
  const viewer = async () => (await host.use(KernelUsers).viewerOf(userId))!;
  const reading = host.use(Reading);
  const answer = async () => (await client.get("/api/gamify/me")).body as Answer;
  const read: Player["read"] = async (issueId, pages, more = {}) => {
    const position = { kind: "page", page: pages - 1, pages: pagesEach } as const;
    await reading.report(await viewer(), issueId, { position, device: "tablet", ...more });
  };
  return {
    client,
    userId,
    read,
    finish: async (...issueIds) => {
      for (const id of issueIds) await read(id, pagesEach);
    },
    mark: async (issueIds, isRead) => void (await reading.mark(await viewer(), issueIds, isRead)),
    answer,
    me: async () => {
      const found = await answer();
      if (!found.ready) throw new Error(found.reason);
      return found;
    },
    board: async () => (await client.get("/api/gamify/leaderboard")).body as Leaderboard,
  };
}

async function openLibrary(host: TestHost, type: string): Promise<{ id: number; root: string }> {
  const folder = join(tmpdir(), `longbox-quest-desk-${type}`);
  await mkdir(folder, { recursive: true });
  const root = await realpath(folder);
  const admin = host.as("admin");
  const known = (await admin.get("/api/libraries")).body.libraries as Array<{ id: number; rootFolder?: string }>;
  const kept = known.find(({ rootFolder }) => rootFolder === root);
  const id = kept?.id ?? (await admin.post("/api/libraries", { name: type, type, rootFolder: root })).body.id;
  return { id, root };
}

function fileOf(plan: SeriesPlan, number: string, library: { id: number; root: string }): ReadFile {
  const folder = `${library.root}/${plan.series}`;
  const { writer, coverDate, language, seconds } = plan;
  return {
    libraryId: library.id,
    path: `${folder}/${number}.cbz`,
    name: `${number}.cbz`,
    sizeBytes: 10,
    modifiedAt: "2026-01-01T00:00:00.000Z",
    pages: plan.pages ?? (seconds === undefined ? pagesEach : 0),
    seconds,
    valid: true,
    tagged: true,
    series: { name: plan.series, folder },
    issue: {
      number,
      kind: "issue",
      coverDate,
      language,
      ...(writer !== undefined && { credits: [{ name: writer, role: "writer" }] }),
    },
  };
}

/** Sets the clock of the server and the test. @param time - `2026-11-23T09:00`, in UTC unless it says otherwise */
export function setClock(time: string): void {
  const text = /(Z|[+-]\d\d:\d\d)$/.test(time) ? time : `${time}Z`;
  vi.useFakeTimers({ toFake: ["Date"], now: Date.parse(text) });
}
