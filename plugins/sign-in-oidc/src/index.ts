import { AuthProviders, definePlugin, type Releasable } from "@longbox/sdk";
import { authProvider } from "./provider.js";
import { RelyingParty } from "./relying-party.js";
import { oidcRoutes } from "./routes.js";
import { oidcSettings, type ProviderEntry } from "./settings.js";

export default definePlugin({
  settings: oidcSettings,
  activate(_, context) {
    const of = (entry: ProviderEntry) => new RelyingParty(entry, context.fetch);
    let offered: ReadonlyMap<string, { readonly party: RelyingParty; readonly contribution: Releasable }> = new Map();
    const offer = (entries: readonly ProviderEntry[]) => {
      for (const { contribution } of offered.values()) void contribution.release();
      // Of two with one key the first counts.
      const byKey = new Map(
        entries
          .filter(({ enabled }) => enabled)
          .toReversed()
          .map((entry) => [entry.key, entry]),
      );
      offered = new Map(
        [...byKey].map(([key, entry]) => {
          const party = of(entry);
          return [key, { party, contribution: context.contribute(AuthProviders, authProvider(party)) }];
        }),
      );
    };
    offer(context.settings.current.providers);
    context.own(context.settings.onChange(({ providers }) => offer(providers)));
    context.routes(oidcRoutes({ find: (key) => offered.get(key)?.party, of }, context.settings));
  },
});
