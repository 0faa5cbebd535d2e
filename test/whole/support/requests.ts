import type { SeededRandom } from "@longbox/test/fixtures";
import { brokenBodies, contentTypes, garbageValue, oddHeaders, texts, writeJson } from "./garbage.ts";
import type { WireRequest } from "./wire.ts";

type Schema = Record<string, any>;

/** What the API document says of one route. */
export interface Operation {
  readonly method: string;
  readonly path: string;
  readonly parameters: ReadonlyArray<{ readonly in: string; readonly name: string; readonly schema: Schema }>;
  readonly body: Schema | undefined;
}

/** Values that exist on the server, by the name of the field or parameter that asks for them. */
export type Known = Readonly<Record<string, unknown>>;

/** All that the document describes; what takes things away comes last. */
export function operationsOf(document: any): Operation[] {
  const takesAway = ({ method, path }: Operation) =>
    Number(method === "DELETE" || /delete|uninstall|clear|bulk|libraries\/\{id\}$/.test(path));
  const all = Object.entries(document.paths as Record<string, Record<string, any>>).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, described]) => ({
      method: method.toUpperCase(),
      path,
      parameters: described.parameters ?? [],
      body: Object.values<any>(described.requestBody?.content ?? {})[0]?.schema,
    })),
  );
  return all.sort((one, other) => takesAway(one) - takesAway(other));
}

const methods = ["HEAD", "OPTIONS", "PUT", "PATCH", "DELETE", "TRACE", "POST", "GET", "PROPFIND"];
/** Texts of the shapes that fields ask for. */
const usual = [
  "plausible",
  "plausible-enough",
  "1",
  "2026-05-01",
  "2026-05-01T10:00:00Z",
  "http://127.0.0.1:9/",
  "ann@example.org",
  "@plausible/plausible",
  "1.0.0",
  "a".repeat(64),
];

/** Makes requests that are right but for one thing, or wrong altogether. */
export class RequestMaker {
  constructor(
    private readonly random: SeededRandom,
    private readonly document: Schema,
    private readonly known: Known,
  ) {}

  make(operation: Operation): WireRequest {
    const { random } = this;
    const fault = random.pick([
      "path",
      "query",
      "body",
      "body",
      "body",
      "field",
      "field",
      "field",
      "field",
      "header",
      "method",
    ]);
    const headers: Array<readonly [string, string]> = [];
    for (let count = fault === "header" ? random.between(1, 4) : 0; count > 0; count--)
      headers.push(random.pick(oddHeaders));
    const method =
      fault === "method"
        ? random.pick(methods.filter((one) => this.document["paths"][operation.path][one.toLowerCase()] === undefined))
        : operation.method;
    return {
      method,
      target: this.#path(operation, fault === "path") + this.#query(operation, fault === "query"),
      headers,
      ...this.#body(operation, fault, headers),
    };
  }

  #path({ path }: Operation, isWrong: boolean): string {
    const { random } = this;
    const filled = path.replace(/\{([^}]*)\}/g, (_all, name: string) =>
      isWrong && random.next() < 0.8
        ? this.#garbageSegment()
        : encodeURIComponent(String(this.known[`${path.slice(0, path.indexOf("}") + 1)}`] ?? this.known[name] ?? "1")),
    );
    if (!isWrong || filled !== path) return filled;
    return (
      filled +
      random.pick([
        "/",
        "/..",
        "//",
        "%00",
        "/%2e%2e/",
        ";x=1",
        "/.",
        "%20",
        "\\",
        "?",
        "/%2e%2e%2f%2e%2e%2fetc/passwd",
        "/../../../../etc/passwd",
        "#x",
      ])
    );
  }

  #garbageSegment(): string {
    const text = this.random.pick(texts).slice(0, 5000);
    if (this.random.next() < 0.3) return text.replace(/[^\x21-\x7e]/g, "?").replaceAll("?", "_");
    return encodeURIComponent(text.toWellFormed());
  }

  #query({ parameters }: Operation, isWrong: boolean): string {
    const { random } = this;
    const named = parameters.filter((parameter) => parameter.in === "query");
    const pairs: string[] = [];
    for (const { name, schema } of named) {
      if (isWrong && random.next() < 0.6)
        for (let times = random.next() < 0.1 ? 3 : 1; times > 0; times--)
          pairs.push(`${name}=${this.#garbageSegment()}`);
      else if (random.next() < 0.5) pairs.push(`${name}=${encodeURIComponent(String(this.plausible(schema, name)))}`);
    }
    if (isWrong && random.next() < 0.2) pairs.push(...Array.from({ length: 400 }, (_, index) => `k${index}=${index}`));
    if (isWrong && random.next() < 0.2) pairs.push("__proto__=1", "constructor=2", "=", "%zz", "&&");
    return pairs.length === 0 ? "" : `?${pairs.join("&")}`;
  }

  #body(operation: Operation, fault: string, headers: Array<readonly [string, string]>): { body?: Buffer } {
    const { random } = this;
    const { body } = operation;
    if (body === undefined) {
      if (fault !== "body" || operation.method === "GET") return {};
      headers.push(["Content-Type", random.pick(contentTypes)]);
      return { body: random.pick(brokenBodies) };
    }
    if (fault === "body") {
      const isTyped = random.next() < 0.6;
      headers.push(["Content-Type", isTyped ? "application/json" : random.pick(contentTypes)]);
      if (random.next() < 0.1) headers.push(["Content-Encoding", "gzip"]);
      return { body: random.next() < 0.6 ? random.pick(brokenBodies) : Buffer.from(writeJson(garbageValue(random))) };
    }
    headers.push(["Content-Type", "application/json"]);
    const value = this.known[`${operation.method} ${operation.path}`] ?? this.plausible(body, "");
    return { body: Buffer.from(writeJson(fault === "field" ? this.#spoil(value, 0) : value)) };
  }

  /** Something like what the schema asks for. */
  plausible(given: Schema, name: string, depth = 0): unknown {
    const { random, document } = this;
    const schema =
      given["$ref"] === undefined
        ? given
        : (given["$ref"] as string)
            .slice(2)
            .split("/")
            .reduce((at: any, part) => at[part], document);
    if (name in this.known && random.next() < 0.9) return this.known[name];
    if (depth > 6) return null;
    if ("const" in schema) return schema["const"];
    if (schema["enum"]) return random.pick(schema["enum"]);
    const choices = schema["anyOf"] ?? schema["oneOf"];
    if (choices) return this.plausible(random.pick(choices), name, depth + 1);
    if (schema["allOf"])
      return Object.assign({}, ...schema["allOf"].map((part: Schema) => this.plausible(part, name, depth + 1)));
    return this.#ofType(schema, name, depth);
  }

  #ofType(schema: Schema, name: string, depth: number): unknown {
    const type = Array.isArray(schema["type"]) ? this.random.pick(schema["type"]) : schema["type"];
    if (type === "string") return this.#text(schema);
    if (type === "integer" || type === "number") return Math.max(schema["minimum"] ?? 1, 1);
    if (type === "boolean") return this.random.next() < 0.5;
    if (type === "array") return [this.plausible(schema["items"] ?? {}, name.replace(/s$/, ""), depth + 1)];
    if (type !== "object") return type === "null" ? null : "plausible";
    const properties = Object.entries<Schema>(schema["properties"] ?? {});
    if (properties.length === 0 && typeof schema["additionalProperties"] === "object")
      return { plausible: this.plausible(schema["additionalProperties"], "", depth + 1) };
    const required = new Set<string>(schema["required"] ?? []);
    return Object.fromEntries(
      properties
        .filter(([key]) => required.has(key) || this.random.next() < 0.5)
        .map(([key, property]) => [key, this.plausible(property, key, depth + 1)]),
    );
  }

  #text({ pattern, format, minLength = 0 }: Schema): string {
    if (format === "uri") return "http://127.0.0.1:9/";
    if (format === "date-time") return "2026-05-01T10:00:00Z";
    const fits = new RegExp(pattern ?? "", "u");
    return usual.find((text) => text.length >= minLength && fits.test(text)) ?? "1";
  }

  /** The same value with one thing in it changed, taken away or added. */
  #spoil(value: unknown, depth: number): unknown {
    const { random } = this;
    if (value === null || typeof value !== "object" || Object.keys(value).length === 0) return garbageValue(random);
    if (Array.isArray(value))
      return random.next() < 0.3 ? garbageValue(random) : [...value, this.#spoil(value[0], depth + 1)];
    const name = random.pick(Object.keys(value));
    const rest = Object.fromEntries(Object.entries(value).filter(([key]) => key !== name));
    const what = random.next();
    if (what < 0.1) return rest;
    if (what < 0.15) return { ...value, [random.pick(texts).slice(0, 300)]: garbageValue(random) };
    return { ...value, [name]: this.#spoil((value as Record<string, unknown>)[name], depth + 1) };
  }
}
