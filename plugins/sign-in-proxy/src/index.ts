import { AuthProviders, definePlugin, defineRoute, reply, type Releasable } from "@longbox/sdk";
import { identityOf } from "./identity.js";
import { proxySettings } from "./settings.js";

export default definePlugin({
  settings: proxySettings,
  activate(_, context) {
    let offered: Releasable | undefined;
    const offer = () => {
      void offered?.release();
      const { proxies, label } = context.settings.current;
      // Nothing is trusted before an admin says whom.
      offered =
        proxies === ""
          ? undefined
          : context.contribute(AuthProviders, {
              id: "proxy",
              label,
              // The proxy has let the browser through already, so it goes on to the end at once.
              begin: async ({ callbackUrl }) => ({ redirectTo: callbackUrl, state: {} }),
              complete: async ({ peer }) => identityOf(peer, context.settings.current),
            });
    };
    offer();
    context.own(context.settings.onChange(offer));
    context.routes([
      defineRoute({
        method: "GET",
        path: "/api/sign-in-proxy/logout",
        access: "public",
        summary: "Go to the proxy to end its session",
        responseType: "text/html",
        handle: () => reply.redirect(context.settings.current.logoutAddress || "/"),
      }),
    ]);
  },
});
