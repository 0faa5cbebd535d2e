import { Collection, type ReadFile } from "@longbox/collection/contract";
import { Notifications, type Notice, type Recipients } from "@longbox/notifications/contract";
import { startTestHost, type TestHost, type TestHostOptions } from "@longbox/sdk/testing";

export interface TellingDesk extends AsyncDisposable {
  readonly host: TestHost;
  notify(notice: Notice, recipients: Recipients): Promise<readonly number[]>;
  /** The id of the user with this role. */
  idOf(role: string): Promise<number>;
  /** Files of a series, as a scan would find them. @returns the series' id */
  place(series: string, numbers: readonly string[], options?: { readonly restricted?: boolean }): Promise<number>;
  /** The titles of a user's notifications, newest first. */
  titles(role: string): Promise<string[]>;
}

/** A server with notifications, whose arrivals are told after a second and whose repetitions begin after one. */
export async function openTellingDesk(options: TestHostOptions = {}): Promise<TellingDesk> {
  const { plugins = [], settings, ...rest } = options;
  const host = await startTestHost({
    ...rest,
    plugins: ["operations", "collection", "notifications", ...plugins],
    settings: { ...settings, notifications: { joinSeconds: 1, retrySeconds: 1, ...settings?.["notifications"] } },
  });
  return {
    host,
    notify: (notice, recipients) => host.use(Notifications).notify(notice, recipients),
    idOf: async (role) => (await host.as(role).get("/api/auth/me")).body.user.id,
    async place(series, numbers, { restricted = false } = {}) {
      const folder = `/library/${series}`;
      const file = (number: string): ReadFile => ({
        libraryId: 1,
        path: `${folder}/${number}.cbz`,
        name: `${number}.cbz`,
        sizeBytes: 1,
        modifiedAt: "2026-01-01T00:00:00.000Z",
        pages: 20,
        valid: true,
        tagged: false,
        series: { name: series, folder, year: 2020 },
        issue: { number, kind: "issue" },
      });
      const [first, ...others] = numbers;
      const [placed] = await host.use(Collection).placeFiles([file(first ?? "1")]);
      const { seriesId } = placed as { seriesId: number };
      if (restricted) await host.as("admin").post(`/api/collection/${seriesId}/restricted`, { restricted: true });
      if (others.length > 0) await host.use(Collection).placeFiles(others.map(file));
      return seriesId;
    },
    titles: async (role) =>
      (await host.as(role).get("/api/notifications")).body.map(({ title }: { title: string }) => title),
    [Symbol.asyncDispose]: () => host[Symbol.asyncDispose](),
  };
}

/** Waits until something holds; a busy machine is given its time. */
export async function until(holds: () => Promise<boolean> | boolean): Promise<void> {
  const deadline = Date.now() + 60_000;
  while (!(await holds())) {
    if (Date.now() > deadline) throw new Error("It did not come to pass in a minute.");
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
}
