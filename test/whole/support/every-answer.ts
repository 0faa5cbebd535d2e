// The answers of a server to every GET that it describes, such that they can be compared with those of another on the
// same data.

/** Who asks. */
export interface Asking {
  get(path: string): Promise<{
    readonly status: number;
    readonly body: any;
    readonly headers: Headers;
    readonly bytes: Uint8Array;
  }>;
}

export interface PlainAnswer {
  readonly status: number;
  /** Without parameters: `application/json`. */
  readonly type: string;
  /** Base64 of what is no text. */
  readonly body: unknown;
}

/** What two servers on the same data answer differently, and rightly so. */
const differing: Record<string, string> = {
  "/api/auth/apikey": "the test host makes new keys at each start",
  "/api/scan-folder": "a server looks through its folders when it starts",
  "/api/jobs": "which is a job",
  "/api/jobs/activity": "which is a job",
  "/api/events": "a stream that does not end",
  "/api/metrics": "counts since the start",
  "/api/plugins/{name}/use": "counts since the start",
  "/api/logs": "kept in memory",
  "/api/backups": "a backup does not hold older ones",
  "/api/support/package": "holds the log and the runtime",
  "/api/disk-usage": "measures files, which a backup writes more tightly",
  "/api/health/checks": "says the time and where the data folder is",
  "/api/shelves/surprise": "is drawn by chance",
};

/** Fields that tell of the moment or the machine, not of the data. */
const momentary = new Set(["lastSeenAt", "lastRunAt", "lastState", "nextRunAt", "startedAt"]);

/** Every GET that the server describes, with ids that are there put into its parameters. */
export async function listPaths(client: Asking): Promise<string[]> {
  const { paths } = (await client.get("/api/openapi.json")).body as { paths: Record<string, object> };
  const [series] = (await client.get("/api/collection")).body;
  const { issues } = (await client.get(`/api/collection/${series.id}`)).body;
  const [{ libraries }, jobs, lists] = await Promise.all(
    ["/api/libraries", "/api/jobs", "/api/lists"].map(async (path) => (await client.get(path)).body),
  );
  const own: readonly (readonly [RegExp, string])[] = [
    [/^(\/api\/(?:opds\/(?:v2\/)?)?libraries\/)\{\w+\}/, String(libraries[0].id)],
    // The oldest: a schedule may begin a new one at any minute.
    [/^(\/api\/jobs\/)\{\w+\}/, String(jobs.at(-1)?.id ?? 1)],
    [/^(\/api\/lists\/)\{\w+\}/, String(lists[0].id)],
    [/^(\/api\/plugins\/)\{\w+\}/, "collection"],
  ];
  const values: Record<string, string> = {
    cvIssueId: String(issues[0].cvIssueId),
    cvId: String(series.cvId ?? 1),
    seriesId: String(series.id),
    id: String(series.id),
  };
  return Object.keys(paths)
    .filter(
      (path) => "get" in (paths[path] as object) && !(path in differing) && !/^\/api\/opds\/.*\/page\//.test(path),
    )
    .map((path) => own.reduce((made, [place, id]) => made.replace(place, `$1${id}`), path))
    .map((path) => path.replaceAll(/\{(\w+)\}/g, (_, name: string) => values[name] ?? "1"))
    .sort();
}

/** @param places - Texts that differ between servers, such as their addresses, with what stands for each */
export async function answersOf(
  client: Asking,
  paths: readonly string[],
  places: Readonly<Record<string, string>>,
): Promise<Record<string, PlainAnswer>> {
  const answers: Record<string, PlainAnswer> = {};
  for (const path of paths) {
    const { status, body, headers, bytes } = await client.get(path);
    const [type = ""] = (headers.get("content-type") ?? "").split(";");
    const text = /json|xml|text/.test(type);
    answers[path] = { status, type, body: text ? lasting(body, places) : Buffer.from(bytes).toString("base64") };
  }
  return answers;
}

/** The answer without what tells of the moment or the machine. */
function lasting(value: unknown, places: Readonly<Record<string, string>>): unknown {
  if (typeof value === "string")
    return Object.entries(places).reduce((text, [place, name]) => text.replaceAll(place, name), value);
  if (Array.isArray(value)) return value.map((each) => lasting(each, places));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name]) => !momentary.has(name))
      .map(([name, each]) => [name, lasting(each, places)]),
  );
}
