/** A server that publishes for its authors. */
export interface PublishingServer {
  readonly server: string;
  /** The token of an author, which an admin of the server made. */
  readonly token: string;
  readonly tag?: string | undefined;
}

/**
 * Publishes a package through a server, which examines it and puts it into its registry.
 * @throws {Error} when it refuses
 */
export async function publishThrough(
  { server, token, tag = "latest" }: PublishingServer,
  tarball: Buffer,
): Promise<void> {
  const answer = await fetch(new URL(`/api/plugins/publish?tag=${encodeURIComponent(tag)}`, server), {
    method: "POST",
    headers: { "content-type": "application/octet-stream", "x-author-token": token },
    body: new Uint8Array(tarball),
  });
  const { error } = (await answer.json()) as { readonly error?: string };
  if (!answer.ok)
    throw new Error(`The server refused the package (${answer.status}): ${error ?? "it did not say why"}`);
}
