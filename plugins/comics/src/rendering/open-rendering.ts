import type { ImagingContract } from "@longbox/imaging/contract";
import type { OptionalCapability, PluginContext } from "@longbox/sdk";
import type { PagesContract, RenderedPagesContract } from "../contract.js";
import type { ComicsSettings } from "../settings.js";
import { PageRenderings } from "./page-renderings.js";
import { PreparedPages } from "./prepared-pages.js";
import { RenderedIssuePages } from "./rendered-pages.js";

interface Sources {
  readonly pages: PagesContract;
  readonly imaging: OptionalCapability<ImagingContract>;
}

/** Puts the parts together that make pages in other sizes. */
export async function openRendering(
  { pages, imaging }: Sources,
  context: PluginContext<ComicsSettings>,
): Promise<RenderedPagesContract> {
  const { cacheMegabytes } = context.settings.current;
  const cache = await context.storage.cache("pages", { maxBytes: cacheMegabytes * 1_000_000 });
  const renderings = new PageRenderings(pages, imaging, cache);
  const prepared = new PreparedPages(renderings, context.signal, context.log);
  return new RenderedIssuePages({
    pages,
    renderings,
    prepared,
    pagesAhead: () => context.settings.current.pagesAhead,
  });
}
