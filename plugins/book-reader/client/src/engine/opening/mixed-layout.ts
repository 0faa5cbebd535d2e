type EpubBook = FoliateBook & { readonly resources?: FoliateResources };

const override = /^rendition:layout-(pre-paginated|reflowable)$/;

/**
 * Books may have pages of fixed layout and flowing text. They are shown as flowing text, in which each page of fixed
 * layout is fitted into a page: the renderer of fixed layouts could not show text that flows.
 */
export function readMixedLayout(book: EpubBook): void {
  const { rendition, resources } = book;
  if (!resources) return;
  const own = rendition?.layout === "pre-paginated" ? "pre-paginated" : "reflowable";
  const layouts = new Map(
    resources.spine.map(({ idref, properties = [] }) => [
      resources.getItemByID(idref)?.href,
      properties.map((property) => override.exec(property)?.[1]).find(Boolean) ?? own,
    ]),
  );
  if (new Set(layouts.values()).size < 2) return;
  book.rendition = { ...rendition, layout: "reflowable" };
  for (const section of book.sections) section.isFixedPage = layouts.get(String(section.id)) === "pre-paginated";
}
