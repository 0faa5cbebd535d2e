import type { SeededPlugin } from "./plugin.js";

const imports = `import { beginsWith, definePlugin, defineRoute, foldText, idParameter, migration, NotFound, reply } from "@longbox/sdk";
import { z } from "zod";`;

const first = `const first = migration("0001-notes", async ({ schema, types }) => {
  await schema
    .createTable("note")
    .addColumn("id", types.id, types.numbered)
    .addColumn("text", types.text, (column) => column.notNull())
    .addColumn("text_key", types.folded, (column) => column.notNull())
    .execute();
});`;

const second = `const second = migration("0002-times", async ({ schema, types, database }) => {
  await schema.alterTable("note").addColumn("at", types.instant, (column) => column.notNull().defaultTo(0)).execute();
  await database.updateTable("note").set({ at: 1 }).execute();
});`;

const routes = (columns: string) => `const note = z.object({ id: z.number(), text: z.string()${columns} });
const routesOf = (database, context) => [
  defineRoute({
    method: "GET",
    path: "/api/notes",
    summary: "The notes",
    query: z.object({ q: z.string().default("") }),
    response: z.array(note),
    handle: ({ query }) =>
      database.selectFrom("note").selectAll().where(beginsWith("text_key", foldText(query.q))).orderBy("id").execute(),
  }),
  defineRoute({
    method: "GET",
    path: "/api/notes/{id}",
    summary: "A note",
    params: z.object({ id: idParameter }),
    response: note,
    async handle({ params }) {
      const found = await database.selectFrom("note").selectAll().where("id", "=", params.id).executeTakeFirst();
      if (!found) throw new NotFound("notes/no-note", "There is no such note.");
      return found;
    },
  }),
  defineRoute({
    method: "POST",
    path: "/api/notes",
    access: "trusted",
    summary: "Add a note",
    body: z.object({ text: z.string() }),
    response: note,
    async handle({ body }) {
      const row = { text: body.text, text_key: foldText(body.text) };
      const made = await database.insertInto("note").values(row).returningAll().executeTakeFirstOrThrow();
      context.changed("notes");
      return reply.created(made);
    },
  }),
];`;

const plugin = (migrations: string) => `export default definePlugin({
  migrations: [${migrations}],
  async activate(_, context) {
    const database = context.storage.database();
    await database.insertInto("note").values({ text: "Added at a start", text_key: "added at a start" }).execute();
    context.routes(routesOf(database, context));
  },
});`;

const entry = (...parts: string[]) => ({ "dist/index.js": `${[imports, ...parts].join("\n")}\n` });

/** Tables and migrations: each version adds to the data of the one before. */
export const notes: SeededPlugin = {
  name: "notes-of-ann",
  id: "notes",
  versions: [
    { version: "0.1.0", longbox: { events: [{ domain: "notes" }] }, files: entry(first, routes(""), plugin("first")) },
    {
      version: "0.2.0",
      longbox: { events: [{ domain: "notes" }] },
      files: entry(first, second, routes(", at: z.number()"), plugin("first, second")),
    },
    {
      version: "1.0.0",
      longbox: { events: [{ domain: "notes", access: "notes.read" }], permissions: [permission()] },
      files: entry(first, second, routes(", at: z.number()"), plugin("first, second")),
    },
    // For the next SDK: left out until there is one.
    { version: "2.0.0", longbox: { sdk: "^2.0.0" }, files: { "dist/index.js": "export default {};\n" } },
  ],
};

function permission() {
  return { key: "notes.read", label: "Read notes", description: "Hear of new notes", tier: "viewer" };
}
