/** The MARC relators that books use, as the roles that all formats share. `producer` stands for programs. */
const relators: Readonly<Record<string, string>> = {
  aut: "author",
  cre: "author",
  art: "artist",
  ill: "illustrator",
  trl: "translator",
  edt: "editor",
  nrt: "narrator",
  clr: "colorist",
  cov: "cover",
  aui: "introduction",
  aft: "afterword",
  pht: "photographer",
  bkp: "producer",
};

/** @param relator - a code such as `aut`; a role in words is kept */
export function roleOf(relator: string | undefined): string | undefined {
  const code = relator?.trim().toLowerCase();
  if (code === undefined || code === "") return undefined;
  return relators[code] ?? (/^[a-z]{4,30}$/u.test(code) ? code : undefined);
}

/** Stores write `Quill, Ada`; several names in one text are separated by `;` or `&`. */
export function namesOf(text: string | undefined): string[] {
  return (text ?? "")
    .split(/\s*[;&]\s*/u)
    .map((name) => {
      const [last = "", first = "", ...more] = name.split(/\s*,\s*/u);
      return more.length === 0 && first !== "" && !/^(?:jr|sr|ph\.?d|m\.?d)\.?$/iu.test(first)
        ? `${first} ${last}`
        : name;
    })
    .map((name) => name.trim().slice(0, 200))
    .filter((name) => name !== "");
}
