import type { LongboxClient } from "@longbox/sdk/client";
import { t } from "@longbox/sdk/ui";

/** `Moth Patrol (2019)`. */
export function named(name: string, year: number | null | undefined): string {
  return year === null || year === undefined ? name : `${name} (${year})`;
}

export function baseName(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}

/** A reason that the server gives, in the user's language, with quotation marks where it has marks of code. */
export function reasonSaid(longbox: Pick<LongboxClient, "said">, reason: string): string {
  return longbox.said(reason).replace(/`([^`]*)`/g, (_, text: string) => t("wording.quoted", { text }));
}
