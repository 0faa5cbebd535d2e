import { Ajv2020 } from "ajv/dist/2020.js";
import fc from "fast-check";
import { runsLongTests } from "@longbox/test/needs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { fitting, odd, unfitting } from "./schema-inputs.js";
import { askPlainly, startWholeServer, type Operation, type PlainAnswer, type WholeServer } from "./whole-server.js";

/** Calls that would take the caller's key away or end the server, which would make every later answer the same. */
const left = new Set(["POST /api/restart", "POST /api/auth/apikey", "DELETE /api/auth/apikey"]);
/** Calls of each operation in a round. */
const runs = runsLongTests ? 8 : 4;
/**
 * The long run goes on until its time is over, since a round takes one minute or five, as other work goes on or not.
 */
const [mostRounds, longestMs] = runsLongTests ? [12, 20 * 60_000] : [1, Number.POSITIVE_INFINITY];
const limitMs = runsLongTests ? 3_600_000 : 600_000;
const seed = 20_261_121;

let server: WholeServer;
let key: string;
let ajv: Ajv2020;

beforeAll(async () => {
  server = await startWholeServer();
  const { host } = server;
  await host.as("admin").post("/api/settings", { metadata: { baseUrl: "http://127.0.0.1:9/" } });
  await host.as("admin").get("/api/status");
  key = host.as("admin").key!;
  ajv = new Ajv2020({ strict: false, validateFormats: false, allErrors: false });
  ajv.addSchema(server.document, "document");
});

afterAll(() => server?.[Symbol.asyncDispose]());

const escaped = (pointer: string) => pointer.replaceAll("~", "~0").replaceAll("/", "~1");

const isHtml = (type: string) => type.startsWith("text/html");

/** What is wrong with an answer, if anything. Being told that another server or a disk failed is no fault of ours. */
function flaw(operation: Operation, answer: PlainAnswer): string | undefined {
  const type = String(answer.headers["content-type"] ?? "");
  if (answer.status >= 500 && ![502, 503].includes(answer.status))
    return `status ${answer.status}: ${answer.text.slice(0, 300)}`;
  const declared = operation.description.responses;
  if (/html/.test(type)) return Object.keys(declared[200]?.content ?? {}).some(isHtml) ? undefined : `it is ${type}`;
  // Protocols have errors of their own, which the document does not describe.
  if (answer.status >= 400 && declared.default?.content === undefined) return undefined;
  if (!answer.headers["x-request-id"] && answer.status !== 400) return "it has no request id";
  if (answer.status >= 400)
    return misfit(`/paths/${escaped(operation.path)}/${operation.method.toLowerCase()}/responses/default`, answer);
  if (answer.status === 204 || answer.status === 302 || answer.status === 304 || !type.startsWith("application/json"))
    return undefined;
  return misfit(`/paths/${escaped(operation.path)}/${operation.method.toLowerCase()}/responses/200`, answer);
}

function misfit(pointer: string, answer: PlainAnswer): string | undefined {
  const schema = ajv.getSchema(`document#${encodeURI(`${pointer}/content/application~1json/schema`)}`);
  if (schema === undefined) return `the document has no schema at ${pointer}`;
  let value: unknown;
  try {
    value = JSON.parse(answer.text);
  } catch {
    return answer.status === 400 && answer.text === "" ? undefined : `it is no JSON: ${answer.text.slice(0, 100)}`;
  }
  return schema(value) ? undefined : `${JSON.stringify(schema.errors)} in ${answer.text.slice(0, 300)}`;
}

interface Call {
  readonly path: Record<string, unknown>;
  readonly query: Record<string, unknown>;
  readonly body: string | undefined;
}

function goodCall({ description }: Operation): fc.Arbitrary<Call> {
  const parameters = (description.parameters ?? []) as Array<{
    in: string;
    name: string;
    required?: boolean;
    schema: object;
  }>;
  const ofPlace = (place: string) => {
    const own = parameters.filter((parameter) => parameter.in === place);
    return fc.record(Object.fromEntries(own.map(({ name, schema }) => [name, fitting(schema, server.document)])), {
      requiredKeys: own.filter((one) => one.required).map((one) => one.name),
    });
  };
  const schema = description.requestBody?.content?.["application/json"]?.schema;
  const body =
    schema === undefined
      ? fc.constant(undefined)
      : fitting(schema, server.document).map((value) => JSON.stringify(value));
  return fc.record({ path: ofPlace("path"), query: ofPlace("query"), body });
}

function badCall({ path, description }: Operation): fc.Arbitrary<Call> {
  const names = [...path.matchAll(/\{([^}]*)\}/g)].map((match) => match[1]!);
  const queries = ((description.parameters ?? []) as Array<{ in: string; name: string }>)
    .filter((one) => one.in === "query")
    .map((one) => one.name);
  return fc.record({
    path: fc.record(Object.fromEntries(names.map((name) => [name, odd]))),
    query: fc.record(Object.fromEntries(queries.map((name) => [name, odd])), { requiredKeys: [] }),
    body: description.requestBody === undefined ? fc.constant(undefined) : unfitting,
  });
}

async function send({ method, path }: Operation, call: Call): Promise<PlainAnswer> {
  const place = path.replace(/\{([^}]*)\}/g, (_all, name: string) =>
    encodeURIComponent(String(call.path[name] ?? "1")).replace(/^\.{1,2}$/, "%2e"),
  );
  const query = new URLSearchParams(
    Object.entries(call.query).map(([name, value]) => [name, String(value)]),
  ).toString();
  return askPlainly(
    server.host.url,
    method,
    query === "" ? place : `${place}?${query}`,
    { "x-api-key": key, "content-type": "application/json" },
    call.body,
  );
}

interface Found {
  readonly flaws: readonly string[];
  /** How many answers were 2xx, of how many. */
  readonly accepted: number;
  readonly answers: number;
  /** The operations that accepted something. */
  readonly accepting: ReadonlySet<Operation>;
}

/** Tries every operation in rounds, each with other calls. */
async function tryAll(make: (operation: Operation) => fc.Arbitrary<Call>): Promise<Found> {
  const ends = performance.now() + longestMs;
  let all: Found = { flaws: [], accepted: 0, answers: 0, accepting: new Set() };
  let round = 0;
  while (round < mostRounds && performance.now() < ends && all.flaws.length === 0) {
    const { flaws, accepted, answers, accepting } = await tryRound(make, seed + round);
    all = {
      flaws,
      accepted: all.accepted + accepted,
      answers: all.answers + answers,
      accepting: new Set([...all.accepting, ...accepting]),
    };
    round += 1;
  }
  if (runsLongTests) process.stderr.write(`${round} of ${mostRounds} rounds, ${all.answers} calls\n`);
  return all;
}

async function tryRound(make: (operation: Operation) => fc.Arbitrary<Call>, seed: number): Promise<Found> {
  const flaws: string[] = [];
  const accepting = new Set<Operation>();
  let [accepted, answers] = [0, 0];
  for (const operation of server.operations.filter(({ method, path }) => !left.has(`${method} ${path}`))) {
    const calls = fc.sample(make(operation), { numRuns: runs, seed });
    for (const call of calls) {
      const unanswered = (thrown: unknown): PlainAnswer => ({ status: 599, headers: {}, text: String(thrown) });
      const answer = await send(operation, call).catch(unanswered);
      answers += 1;
      if (answer.status < 300) {
        accepted += 1;
        accepting.add(operation);
      }
      const flawed = flaw(operation, answer);
      if (flawed === undefined) continue;
      flaws.push(`${operation.method} ${operation.path} with ${JSON.stringify(call).slice(0, 300)}: ${flawed}`);
      break;
    }
  }
  return { flaws, accepted, answers, accepting };
}

describe("every operation of the API document", () => {
  it(
    "takes what its schemas allow: no failure, no HTML, and an answer that fits its schema",
    async () => {
      const found = await tryAll(goodCall);
      expect(found.flaws).toEqual([]);
      // Made-up ids name nothing, so that many answers are 404; operations without ids have to accept what fits.
      expect(found.accepting.size).toBeGreaterThan(server.operations.length / 3);
      expect(found.accepted).toBeGreaterThan(found.answers / 4);
    },
    limitMs,
  );

  it(
    "refuses what they do not allow: no failure, no HTML, and an error that fits its schema",
    async () => {
      const found = await tryAll(badCall);
      expect(found.flaws).toEqual([]);
      expect(found.accepted).toBeLessThan(found.answers / 2);
      expect(await server.host.as("admin").get("/healthz")).toMatchObject({ status: 200, body: { ok: true } });
    },
    limitMs,
  );
});
