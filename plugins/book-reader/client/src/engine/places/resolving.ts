import type { StoredPlace } from "../../protocol.js";
import { findText } from "./finding-text.js";
import { plain, readPlace, type ReadPlace } from "./locators.js";
import { sectionDocument } from "./section-document.js";

/** A place found in this edition of the book. */
export interface FoundPlace {
  readonly cfi: string | undefined;
  readonly fraction: number;
}

/** Characters of which two texts are compared. */
const comparedLength = 20;

/**
 * Finds a stored place. A CFI counts only if the text there is the one that was stored with it, since in another
 * edition it may lead elsewhere; then the text decides, nearest to the fraction first, and at last the fraction alone.
 */
export async function findPlace(view: FoliateView, stored: StoredPlace): Promise<FoundPlace> {
  const place = readPlace(stored);
  if (place.cfi !== undefined && (await isRight(view, place.cfi, place)))
    return { cfi: place.cfi, fraction: place.fraction };
  return { cfi: await findQuote(view, place), fraction: place.fraction };
}

async function isRight(view: FoliateView, cfi: string, { quote }: ReadPlace): Promise<boolean> {
  try {
    const target = view.resolveNavigation(cfi);
    const section = view.book.sections[target?.index ?? -1];
    if (target === undefined || section === undefined) return false;
    if (quote === undefined || section.createDocument === undefined) return true;
    const there = target.anchor?.(await sectionDocument(section));
    if (!(there instanceof Range)) return false;
    return compared(textFrom(there)) === compared(quote);
  } catch {
    // The CFI leads nowhere in this edition.
    return false;
  }
}

const compared = (text: string) => plain(text).trim().slice(0, comparedLength);

/** Some text from the beginning of a range on, also of one that has no extent. */
function textFrom(range: Range): string {
  const own = range.toString();
  if (plain(own).trim().length >= comparedLength) return own.trimStart();
  const longer = range.cloneRange();
  const document = range.startContainer.ownerDocument ?? (range.startContainer as Document);
  if (range.collapsed) longer.setEndAfter(document.body.lastChild ?? document.body);
  return longer.toString().slice(0, 2_000).trimStart();
}

async function findQuote(view: FoliateView, { quote, before, fraction }: ReadPlace): Promise<string | undefined> {
  if (quote === undefined || quote.trim().length < 3) return undefined;
  let best: { readonly cfi: string; readonly fits: boolean } | undefined;
  for (const index of nearestFirst(view, fraction)) {
    const section = view.book.sections[index]!;
    if (section.createDocument === undefined) continue;
    for (const found of findText(await sectionDocument(section), quote)) {
      const fits = before === "" || compared(reversed(found.before)) === compared(reversed(before));
      if (best === undefined || (fits && !best.fits)) best = { cfi: view.getCFI(index, found.range), fits };
      if (best.fits) return best.cfi;
    }
  }
  return best?.cfi;
}

const reversed = (text: string) => [...text.trimEnd()].toReversed().join("");

function nearestFirst(view: FoliateView, fraction: number): number[] {
  const starts = view.getSectionFractions();
  const home = Math.max(
    0,
    starts.findLastIndex((start) => start <= fraction + 1e-9),
  );
  return view.book.sections.map((_, index) => index).toSorted((a, b) => Math.abs(a - home) - Math.abs(b - home));
}
