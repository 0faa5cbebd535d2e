import { definePlugin, defineRoute, migration } from "@longbox/sdk";
import { arrangementSchema, HomeRecords, type WebTables } from "./home-records.js";

const homeMigration = migration("0001-home", async ({ schema, types }) => {
  await schema
    .createTable("home")
    .addColumn("user_id", types.id, (column) => column.primaryKey())
    .addColumn("arrangement", types.json, (column) => column.notNull())
    .execute();
});

/**
 * The web interface is the folder that the manifest names under `site`, which the kernel serves. The server part keeps
 * what users choose about it.
 */
export default definePlugin({
  migrations: [homeMigration],
  activate(_, context) {
    const home = new HomeRecords(context.storage.database<WebTables>());
    const access = "signed-in";
    context.routes([
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
    ]);
    context.onUserDeleted((userId) => home.forgetUser(userId));
    context.onUserAdopted((change) => home.handOver(change));
  },
});
