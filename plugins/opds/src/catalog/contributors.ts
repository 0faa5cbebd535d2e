import type { IssueDetail } from "@longbox/collection/contract";

/** The roles that Readium's manifests know, and the words by which comics name them. */
const roles = {
  author: ["writer", "author", "script", "plot", "story"],
  artist: ["artist"],
  penciler: ["penciller", "penciler"],
  inker: ["inker"],
  colorist: ["colorist", "colourist"],
  letterer: ["letterer"],
  illustrator: ["cover", "coverartist", "illustrator"],
  editor: ["editor"],
  translator: ["translator"],
  narrator: ["narrator"],
} as const;

export type Role = keyof typeof roles;
export type Contributors = Readonly<Partial<Record<Role, readonly string[]>>>;

/** Sorts credits, whose roles may be lists (`artist, cover`), into the roles of catalogs; each name once per role. */
export function contributorsOf(credits: IssueDetail["credits"]): Contributors {
  const found: Partial<Record<Role, string[]>> = {};
  for (const { name, role } of credits) {
    for (const word of role.toLowerCase().split(",")) {
      const known = roleNamed(word.trim());
      if (known !== undefined && !found[known]?.includes(name)) (found[known] ??= []).push(name);
    }
  }
  return found;
}

function roleNamed(word: string): Role | undefined {
  const plain = word.replaceAll(/[\s_-]/g, "");
  return (Object.keys(roles) as Role[]).find((role) => (roles[role] as readonly string[]).includes(plain));
}
