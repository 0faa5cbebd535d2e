import { definePlugin, defineRoute, migration, type Route } from "@longbox/sdk";
import { arrangementSchema, HomeRecords, type WebTables } from "./home-records.js";
import { chosenLanguageSchema, LanguageRecords, type LanguageTables } from "./language-records.js";

const homeMigration = migration("0001-home", async ({ schema, types }) => {
  await schema
    .createTable("home")
    .addColumn("user_id", types.id, (column) => column.primaryKey())
    .addColumn("arrangement", types.json, (column) => column.notNull())
    .execute();
});

const languageMigration = migration("0002-language", async ({ schema, types }) => {
  await schema
    .createTable("language")
    .addColumn("user_id", types.id, (column) => column.primaryKey())
    .addColumn("tag", types.text, (column) => column.notNull())
    .execute();
});

const access = "signed-in";

/**
 * The web interface is the folder that the manifest names under `site`, which the kernel serves. The server part keeps
 * what users choose about it.
 */
export default definePlugin({
  migrations: [homeMigration, languageMigration],
  activate(_, context) {
    const home = new HomeRecords(context.storage.database<WebTables>());
    const languages = new LanguageRecords(context.storage.database<LanguageTables>());
    context.routes([...homeRoutes(home), ...languageRoutes(languages)]);
    for (const records of [home, languages]) {
      context.onUserDeleted((userId) => records.forgetUser(userId));
      context.onUserAdopted((change) => records.handOver(change));
    }
  },
});

function homeRoutes(home: HomeRecords): Route[] {
  return [
    defineRoute({
      method: "GET",
      path: "/api/home",
      access,
      summary: "How you arranged the home page of the web interface",
      response: arrangementSchema,
      handle: ({ viewer }) => home.find(viewer.user.id),
    }),
    defineRoute({
      method: "POST",
      path: "/api/home",
      access,
      summary: "Arrange the home page of the web interface",
      description: "Parts that are not named in `order` have their usual place.",
      body: arrangementSchema,
      response: arrangementSchema,
      handle: ({ body, viewer }) => home.put(viewer.user.id, body),
    }),
  ];
}

function languageRoutes(languages: LanguageRecords): Route[] {
  return [
    defineRoute({
      method: "GET",
      path: "/api/language",
      access,
      summary: "The language that you chose for the web interface",
      description: "`language` is null when it is that of the browser.",
      response: chosenLanguageSchema,
      handle: ({ viewer }) => languages.find(viewer.user.id),
    }),
    defineRoute({
      method: "POST",
      path: "/api/language",
      access,
      summary: "Choose the language of the web interface",
      body: chosenLanguageSchema,
      response: chosenLanguageSchema,
      handle: ({ body, viewer }) => languages.put(viewer.user.id, body),
    }),
  ];
}
