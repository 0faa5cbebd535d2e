/**
 * The document of a section that is not shown, for reading its text. Sections that are no XML become HTML as when
 * shown.
 */
export async function sectionDocument(section: FoliateSection): Promise<Document> {
  const document = await section.createDocument?.();
  if (document !== undefined && document.querySelector("parsererror") === null) return document;
  // The engine finds out how a section must be read by loading it.
  await section.load();
  const again = await section.createDocument?.();
  section.unload?.();
  if (again === undefined) throw new Error("The section has no text.");
  return again;
}
