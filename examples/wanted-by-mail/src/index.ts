import { rm } from "node:fs/promises";
import { join } from "node:path";
import { Collection } from "@longbox/collection/contract";
import { FilesImporting } from "@longbox/files/contract";
import { definePlugin, KernelUsers } from "@longbox/sdk";
import { Arrivals } from "./arrivals.js";
import { Boxes } from "./boxes.js";
import { Receiving } from "./receiving.js";
import { mailRoutes } from "./routes.js";
import { mailSettings } from "./settings.js";
import { firstTables, type MailTables } from "./tables.js";

export default definePlugin({
  requires: { library: Collection, importing: FilesImporting, users: KernelUsers },
  settings: mailSettings,
  migrations: [firstTables],
  async activate({ library, importing, users }, context) {
    const folder = join(context.storage.folder, "arriving");
    // A mail server posts again what was under way when the server stopped.
    await rm(folder, { recursive: true, force: true });
    const database = context.storage.database<MailTables>();
    const tell = (userIds: readonly number[]) => context.changed("arrivals", { userIds });
    const arrivals = new Arrivals({ database, library, users, tell });
    const receiving = new Receiving({ library, importing, arrivals, folder });
    const boxes = new Boxes(context.settings, users);
    context.routes(mailRoutes({ library, boxes, receiving, arrivals, settings: context.settings }));
  },
});
