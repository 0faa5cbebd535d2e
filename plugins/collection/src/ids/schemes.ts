/**
 * How ids of known schemes are written: every spelling of one id becomes the same text, and what cannot be an id of its
 * scheme is refused.
 */

type Normalise = (value: string) => string | undefined;

const normalisers: Readonly<Record<string, Normalise>> = {
  isbn: normaliseIsbn,
  asin: normaliseAsin,
  openlibrary: normaliseOpenLibrary,
  cv: normaliseProviderId,
};

/**
 * The one spelling of an id: an ISBN has 13 digits, letters are capital, prefixes and hyphens are gone. Ids of other
 * schemes are only trimmed. @returns undefined when no id of that scheme is written so, such as for a wrong check digit
 */
export function normaliseId(scheme: string, value: string): string | undefined {
  const trimmed = value.trim();
  return (normalisers[scheme] ?? ((other: string) => (other === "" ? undefined : other)))(trimmed);
}

function normaliseIsbn(value: string): string | undefined {
  const digits = value
    .replace(/^(?:urn:)?isbn(?:-1[03])?:?\s*/i, "")
    .replaceAll(/[\s\u2010-\u2015-]/g, "")
    .toUpperCase();
  if (/^\d{9}[\dX]$/.test(digits) && sumOf10(digits) % 11 === 0) {
    const stem = `978${digits.slice(0, 9)}`;
    return stem + String((10 - (sumOf13(stem) % 10)) % 10);
  }
  return /^97[89]\d{10}$/.test(digits) && sumOf13(digits) % 10 === 0 ? digits : undefined;
}

function sumOf10(digits: string): number {
  return [...digits].reduce((sum, digit, index) => sum + (digit === "X" ? 10 : Number(digit)) * (10 - index), 0);
}

function sumOf13(digits: string): number {
  return [...digits].reduce((sum, digit, index) => sum + Number(digit) * (index % 2 === 0 ? 1 : 3), 0);
}

/** Amazon's own begin with B; a printed book has its ISBN of ten digits. */
function normaliseAsin(value: string): string | undefined {
  const id = value.replace(/^(?:urn:)?asin:\s*/i, "").toUpperCase();
  if (/^B[\dA-Z]{9}$/.test(id)) return id;
  return /^\d{9}[\dX]$/.test(id) && sumOf10(id) % 11 === 0 ? id : undefined;
}

/** `OL1M` is an edition, `OL1W` a work, `OL1A` an author; addresses of openlibrary.org contain them. */
function normaliseOpenLibrary(value: string): string | undefined {
  return /(?:^|\/|:)(OL[1-9]\d{0,14}[AMW])(?=$|[/?#.])/i.exec(value)?.[1]?.toUpperCase();
}

/** `4000-12345` and `12345` are the same issue; `4050-` stands before volumes. */
function normaliseProviderId(value: string): string | undefined {
  return /^(?:40[05]0-)?([1-9]\d{0,8})$/.exec(value)?.[1];
}
