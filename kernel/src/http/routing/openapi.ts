import { setImmediate as nextTurn } from "node:timers/promises";
import { isDeepStrictEqual } from "node:util";
import type { createDocument } from "zod-openapi";
import type { CompiledRoute } from "./compiled-route.js";
import { securityScheme, tell, tellWithoutShapes, type Told } from "./openapi-operations.js";
import type { Routes } from "./routes.js";

export type ApiDocument = { openapi: string } & Record<string, unknown>;

/**
 * Makes the OpenAPI document of the routes that are there now; the same again until they change. It is made plugin by
 * plugin, with turns for requests between them, and what was made of a plugin is kept while its routes stay.
 */
export function describeApi(routes: Routes, version: string): () => Promise<ApiDocument> {
  let described: Promise<ApiDocument> | undefined;
  let kept: readonly OwnerPart[] = [];
  routes.onChange(() => {
    described = undefined;
    if (kept.length > 0) kept = whatStays(kept, byOwner(routes.list()));
  });
  return () => (described ??= describe());

  async function describe(): Promise<ApiDocument> {
    const parts = await describeOwners(byOwner(routes.list()), kept);
    kept = whatStays(parts, byOwner(routes.list()));
    return assemble(parts, version);
  }
}

type Create = typeof createDocument;

/** What one owner's routes add to the document, with and without their shapes. */
interface OwnerPart {
  readonly owner: string;
  readonly routes: readonly CompiledRoute[];
  readonly full: ApiPart;
  bare(): ApiPart;
}

/** Of an OpenAPI document, what differs from owner to owner. */
interface ApiPart {
  readonly paths: Record<string, Record<string, object>>;
  readonly components: {
    readonly schemas?: Record<string, object>;
    readonly securitySchemes: Record<string, object>;
  };
}

type RoutesByOwner = ReadonlyMap<string, readonly CompiledRoute[]>;

const byOwner = (routes: readonly CompiledRoute[]): RoutesByOwner => Map.groupBy(routes, ({ owner }) => owner.id);

/** Without those whose routes have changed or gone, so that the code of a removed plugin is not kept. */
function whatStays(parts: readonly OwnerPart[], routes: RoutesByOwner): readonly OwnerPart[] {
  return parts.filter((part) => isSame(part.routes, routes.get(part.owner) ?? []));
}

async function describeOwners(routes: RoutesByOwner, kept: readonly OwnerPart[]): Promise<readonly OwnerPart[]> {
  const { createDocument: create } = await import("zod-openapi");
  const parts: OwnerPart[] = [];
  for (const [owner, own] of routes) {
    const known = kept.find((part) => part.owner === owner && isSame(part.routes, own));
    parts.push(known ?? describeOwner(create, own));
    if (!known) await nextTurn();
  }
  return parts.sort((one, other) => rank(one) - rank(other) || (one.owner < other.owner ? -1 : 1));
}

/** Whose names of shapes count, where two owners use one: those of the server before those of other authors. */
const rank = ({ owner, routes }: OwnerPart) => (owner === "kernel" ? 0 : routes[0]!.owner.isGuest ? 2 : 1);

const isSame = (some: readonly CompiledRoute[], others: readonly CompiledRoute[]) =>
  some.length === others.length && some.every((route, index) => route === others[index]);

/** Shapes that cannot be shown are left out; all of them, when two of the owner's have one name. */
function describeOwner(create: Create, routes: readonly CompiledRoute[]): OwnerPart {
  const make = (told: readonly Told[]) => attempt(() => partOf(create, told));
  const bare = () => partOf(create, routes.map(tellWithoutShapes));
  const shown = () => routes.map((route) => (make([tell(route)]) ? tell(route) : tellWithoutShapes(route)));
  return { owner: routes[0]!.owner.id, routes, full: make(routes.map(tell)) ?? make(shown()) ?? bare(), bare };
}

/**
 * What one plugin does wrong must not cost the others their description: one that gives a shape the name that another
 * gave before is described without shapes.
 */
function assemble(parts: readonly OwnerPart[], version: string): ApiDocument {
  const schemas = new Map<string, object>();
  const paths: Record<string, Record<string, object>> = {};
  let securitySchemes: Record<string, object> = commonSchemes;
  for (const { full, bare } of parts) {
    const part = clashes(full, schemas) ? bare() : full;
    for (const [name, schema] of Object.entries(part.components.schemas ?? {})) schemas.set(name, schema);
    for (const [path, methods] of Object.entries(part.paths)) paths[path] = { ...paths[path], ...methods };
    securitySchemes = { ...securitySchemes, ...part.components.securitySchemes };
  }
  const byName = ([one]: [string, object], [other]: [string, object]) => one.localeCompare(other);
  return {
    openapi: "3.1.1",
    info: {
      title: "Longbox",
      version,
      description: "The HTTP API of this server, with the routes of all active plugins.",
      license: { name: "MIT", identifier: "MIT" },
    },
    servers: [{ url: "/" }],
    tags: parts.map(({ owner }) => ({ name: owner })).sort((one, other) => one.name.localeCompare(other.name)),
    security: [],
    components: { securitySchemes, schemas: Object.fromEntries([...schemas].sort(byName)) },
    paths: Object.fromEntries(Object.entries(paths).sort(byName)),
  };
}

const commonSchemes = {
  key: { type: "apiKey", in: "header", name: "X-Api-Key" },
  bearer: { type: "http", scheme: "bearer" },
  session: { type: "apiKey", in: "cookie", name: "longbox_session" },
  basic: { type: "http", scheme: "basic" },
};

function clashes({ components }: ApiPart, known: ReadonlyMap<string, object>): boolean {
  return Object.entries(components.schemas ?? {}).some(
    ([name, schema]) => known.has(name) && !isDeepStrictEqual(known.get(name), schema),
  );
}

function attempt<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}

/** @throws when a shape cannot be shown */
function partOf(create: Create, told: readonly Told[]): ApiPart {
  const paths: Record<string, Record<string, object>> = {};
  for (const { path, method, operation } of told) (paths[path] ??= {})[method] = operation;
  const made = create(
    // Built path by path; the type of the library wants each method of each path to be known.
    { openapi: "3.1.1", info: { title: "", version: "" }, paths: paths as never },
    // What a handler gives is sent as it is, so an answer has the shape that goes into its schema.
    { outputIdSuffix: "" },
  );
  const own = withOwnNames({ paths: made.paths, schemas: made.components?.schemas ?? {} }, told[0]!.owner);
  const securitySchemes = told.flatMap(({ credentials }) => (credentials ? [securityScheme(credentials)] : []));
  return {
    paths: own.paths as ApiPart["paths"],
    components: {
      schemas: own.schemas as Record<string, object>,
      securitySchemes: Object.fromEntries(securitySchemes),
    },
  };
}

/** Shapes without a name that refer to themselves are numbered in each part; the owner makes the names differ. */
function withOwnNames<T extends { readonly schemas: object }>(part: T, owner: string): T {
  if (!Object.keys(part.schemas).some((name) => name.startsWith("__schema"))) return part;
  return JSON.parse(JSON.stringify(part).replaceAll(/\b__schema(\d+)\b/g, `${owner}.schema$1`)) as T;
}
