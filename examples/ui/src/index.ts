import { definePlugin } from "@longbox/sdk";
import { kitRoutes } from "./routes.js";

export default definePlugin({
  activate(_, context) {
    context.routes(kitRoutes(() => context.changed("kit")));
  },
});
