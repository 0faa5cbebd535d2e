import { DownloadSources, SourceTests, type ReleaseQuery, type SearchControl } from "@longbox/downloads/contract";
import { definePlugin, foldWords, UpstreamFailure, type PluginContext } from "@longbox/sdk";
import { z } from "zod";

const settings = z.object({
  address: z.string().max(2000).default("").meta({ title: "Address", description: "Of a folder with an index.json" }),
});
const indexSchema = z.array(z.object({ file: z.string(), bytes: z.number().int().positive() })).max(500);

export default definePlugin({
  settings,
  activate(_, context) {
    const source = { id: "example-source", name: "Folder on the web", kind: "site" as const };
    const base = (address = context.settings.current.address) => new URL(address.replace(/\/?$/, "/"));

    async function search({ series, limit }: ReleaseQuery, control: SearchControl) {
      const found = (await readIndex(context, base(), control)).filter(({ file }) =>
        foldWords(file).includes(foldWords(series)),
      );
      return found.slice(0, limit).map(({ file, bytes }) => {
        const reference = new URL(encodeURIComponent(file), base()).href;
        return { guid: file, title: file, protocol: "direct" as const, reference, sizeBytes: bytes };
      });
    }

    const enabled = () => URL.canParse(context.settings.current.address);
    context.contribute(DownloadSources, {
      ...source,
      get enabled() {
        return enabled();
      },
      search,
      resolve: async ({ reference, sizeBytes }) => ({
        places: [{ url: reference, configuredUrl: base().href }],
        sizeBytes,
      }),
    });
    context.contribute(SourceTests, {
      id: source.id,
      async test(values, control) {
        const address = String(values["address"]);
        if (!URL.canParse(address)) return { ok: false, message: "This is not an address." };
        const [read] = await Promise.allSettled([readIndex(context, base(address), control)]);
        if (read.status === "rejected") return { ok: false, message: String(read.reason?.message) };
        return { ok: true, message: `The index names ${read.value.length} files.` };
      },
    });
  },
});

/**
 * The index has at most 64 kB, so that it may be read here; larger answers belong into a worker.
 * @throws {LongboxError} when there is none, or when it has another shape
 */
async function readIndex(
  context: PluginContext<unknown>,
  folder: URL,
  { signal, urgency }: SearchControl,
): Promise<z.output<typeof indexSchema>> {
  const answer = await context.host(folder).fetch(new URL("index.json", folder), { signal, urgency, maxBytes: 65_536 });
  if (!answer.ok) throw new UpstreamFailure("example-source/no-index", "The folder has no index.json.");
  return answer.json(indexSchema);
}
