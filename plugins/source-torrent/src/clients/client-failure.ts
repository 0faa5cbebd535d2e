import { UpstreamFailure } from "@longbox/sdk";

/**
 * The client cannot be asked, or does not do what it was asked.
 * @param message - A sentence for a person, without secrets
 */
export const failed = (message: string) => new UpstreamFailure("source-torrent/client-failed", message);
