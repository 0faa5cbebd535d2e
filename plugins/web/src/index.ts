import { definePlugin, defineRoute, KernelUsers, migration, type Route } from "@longbox/sdk";
import { arrangementSchema, HomeRecords, type WebTables } from "./home-records.js";
import { chosenLanguageSchema, LanguageRecords, languageTagSchema, type LanguageTables } from "./language-records.js";

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
  requires: { users: KernelUsers },
  migrations: [homeMigration, languageMigration],
  async activate({ users }, context) {
    const home = new HomeRecords(context.storage.database<WebTables>());
    const languages = new LanguageRecords(context.storage.database<LanguageTables>());
    context.routes([...homeRoutes(home), ...languageRoutes(languages, users)]);
    // The interface works without; the next start tries again.
    await tellOfLanguages(languages, users).catch((error: unknown) =>
      context.log.warn("The languages of users could not be stored with their accounts.", { error }),
    );
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

/** Choices that were made before the server knew the languages of its users. */
async function tellOfLanguages(languages: LanguageRecords, users: KernelUsers): Promise<void> {
  const chosen = await languages.list();
  const accounts = await users.findAll(chosen.map(({ userId }) => userId));
  const unknown = new Set(accounts.filter(({ language }) => language === undefined).map(({ id }) => id));
  for (const { userId, language } of chosen) if (unknown.has(userId)) await users.setLanguage(userId, language);
}

const newLanguageSchema = chosenLanguageSchema
  .partial()
  .extend({ shown: languageTagSchema.optional().meta({ description: "That of the browser; leaves the choice alone" }) })
  .refine(({ language, shown }) => language !== undefined || shown !== undefined, "must have language or shown");

function languageRoutes(languages: LanguageRecords, users: KernelUsers): Route[] {
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
      description: "Notifications are in it, too; for users who chose none, in the one that was `shown` last.",
      body: newLanguageSchema,
      response: chosenLanguageSchema,
      async handle({ body: { language, shown }, viewer: { user } }) {
        const chosen =
          language === undefined ? await languages.find(user.id) : await languages.put(user.id, { language });
        const spoken = chosen.language ?? shown;
        if (spoken !== undefined) await users.setLanguage(user.id, spoken);
        return chosen;
      },
    }),
  ];
}
