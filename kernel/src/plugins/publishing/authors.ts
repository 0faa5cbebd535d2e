import { randomUUID } from "node:crypto";
import { NotFound } from "@longbox/sdk";
import { z } from "zod";
import { digest, newApiKey } from "../../access/credentials/secrets.js";
import { inject, injectable, token } from "../../injection.js";
import { RegistryUrl } from "../../kernel-tokens.js";
import { packageName } from "../packages/package-names.js";

/** A package, or all packages of a scope: `@me/lamps`, `@me/*`. */
export const packagePattern = z.union([
  packageName,
  z.string().regex(/^@[a-z0-9][a-z0-9._-]*\/\*$/, "must be a scope such as @me/*"),
]);

const authorSchema = z.strictObject({
  id: z.string(),
  name: z.string(),
  packages: z.array(z.string()),
  tokenHash: z.string(),
  /** The account that made the token, and on whose behalf the author publishes. */
  accountId: z.number().int(),
  createdAt: z.string(),
  usedAt: z.string().optional(),
});

export const keptAuthorsSchema = z.strictObject({ authors: z.array(authorSchema).default([]) });
export type KeptAuthors = z.output<typeof keptAuthorsSchema>;

/** The document that the authors are kept in. */
export interface AuthorsDocument {
  read(): KeptAuthors;
  update(change: (kept: KeptAuthors) => KeptAuthors): Promise<KeptAuthors>;
}
export const AuthorsDocument = token<AuthorsDocument>("the authors who may publish");

/** An author as admins see them, without the token. */
export type Author = Omit<z.output<typeof authorSchema>, "tokenHash" | "accountId">;

const shown = ({ tokenHash: _, accountId: _account, ...author }: z.output<typeof authorSchema>): Author => author;

/** The server may sign in at its registry with what stands in the address. */
function withoutCredentials(address: string): string {
  const url = new URL(address);
  url.username = url.password = "";
  return url.href;
}

/** Who may publish which packages through this server. Only digests of their tokens are kept. */
@injectable()
export class Authors {
  constructor(
    @inject(AuthorsDocument) private readonly document: AuthorsDocument,
    @inject(RegistryUrl) private readonly registry: string,
  ) {}

  list(): Author[] {
    return this.document.read().authors.map(shown);
  }

  /**
   * @returns the author, the token, which is not kept, and the registry, from which the author's npm takes what plugins
   * need
   */
  async add(
    { name, packages }: Pick<Author, "name" | "packages">,
    accountId: number,
  ): Promise<Author & { readonly token: string; readonly registry: string }> {
    const secret = newApiKey();
    const createdAt = new Date().toISOString();
    const author = { id: randomUUID(), name, packages, tokenHash: digest(secret), accountId, createdAt };
    await this.document.update((kept) => ({ authors: [...kept.authors, author] }));
    return { ...shown(author), token: secret, registry: withoutCredentials(this.registry) };
  }

  /** The token is refused from now on; what was published stays. @throws {NotFound} `kernel/no-such-author` */
  async remove(id: string): Promise<void> {
    if (!this.document.read().authors.some((author) => author.id === id))
      throw new NotFound("kernel/no-such-author", `There is no author ${id}.`, { id });
    await this.document.update((kept) => ({ authors: kept.authors.filter((author) => author.id !== id) }));
  }

  /** The author whose token this is. */
  find(secret: string): Author | undefined {
    const found = this.#entry(secret);
    return found && shown(found);
  }

  /** The account behind a token. */
  accountOf(secret: string): number | undefined {
    return this.#entry(secret)?.accountId;
  }

  #entry(secret: string): z.output<typeof authorSchema> | undefined {
    const hash = digest(secret);
    return this.document.read().authors.find((author) => author.tokenHash === hash);
  }

  async used(id: string): Promise<void> {
    const usedAt = new Date().toISOString();
    await this.document.update((kept) => ({
      authors: kept.authors.map((author) => (author.id === id ? { ...author, usedAt } : author)),
    }));
  }
}

/** Whether an author may publish a package. */
export function mayPublish({ packages }: Pick<Author, "packages">, name: string): boolean {
  return packages.some((pattern) =>
    pattern.endsWith("/*") ? name.startsWith(pattern.slice(0, -1)) : name === pattern,
  );
}
