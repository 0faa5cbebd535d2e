import type { EngineEvents, Finding } from "../../protocol.js";
import { findText } from "../places/finding-text.js";
import { sectionDocument } from "../places/section-document.js";

/** More would not be read, and would fill the page. */
const mostFindings = 1_000;

interface Search {
  found(part: EngineEvents["found"]): void;
  /** Whether no other search was started and this one was not ended. */
  isWanted(): boolean;
}

/** Searches section after section, and tells what each holds. */
export async function searchBook(view: FoliateView, query: string, { found, isWanted }: Search): Promise<void> {
  const { sections } = view.book;
  let total = 0;
  for (const [index, section] of sections.entries()) {
    if (!isWanted()) return;
    const findings = section.createDocument === undefined ? [] : await searchSection(view, index, query);
    if (!isWanted()) return;
    total += findings.length;
    const done = index === sections.length - 1 || total >= mostFindings;
    found({ findings: findings.slice(0, mostFindings), progress: (index + 1) / sections.length, done });
    if (done) return;
  }
  found({ findings: [], progress: 1, done: true });
}

async function searchSection(view: FoliateView, index: number, query: string): Promise<Finding[]> {
  const document = await sectionDocument(view.book.sections[index]!);
  return Array.from(findText(document, query), ({ range, before, match, after }) => ({
    cfi: view.getCFI(index, range),
    chapter: view.getProgressOf(index, range).tocItem?.label?.trim() ?? "",
    before,
    match,
    after,
  })).slice(0, mostFindings);
}
