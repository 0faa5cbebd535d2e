// Sending a backup to a new server, and waiting until the server has become what the backup holds.
import type { Shell } from "../../shell/shell.js";

/** The longest piece that the server takes, in bytes. */
const pieceBytes = 4_194_304;
const pollMs = 500;
/** A server with many plugins takes a while to start again. */
const startsWithinMs = 300_000;

export interface Restoration {
  readonly file: File;
  readonly passphrase: string;
  readonly token: string | undefined;
  /** Called with the part that has been sent, 0 to 1. */
  readonly sent: (part: number) => void;
}

/**
 * Uploads a backup, has it checked, and restores it. Resolves once the server has an account, which the backup brought.
 */
export async function restoreFrom(api: Shell["api"], { file, passphrase, token, sent }: Restoration): Promise<void> {
  const headers: Record<string, string> = token ? { "X-Setup-Token": token } : {};
  for (let offset = 0; offset < file.size; offset += pieceBytes) {
    sent(offset / file.size);
    const body = file.slice(offset, offset + pieceBytes, "application/octet-stream");
    await api(`/api/backup-upload?offset=${offset}`, { method: "PUT", body, headers });
  }
  sent(1);
  const body = passphrase === "" ? {} : { passphrase };
  const { name } = await api<{ name: string }>("/api/backup-upload", { method: "POST", body, headers });
  await api(`/api/backups/${encodeURIComponent(name)}/restore`, { method: "POST", headers });
  await untilSetUp(api);
}

/** The connection is cut while the server restarts: then it is asked again. */
async function untilSetUp(api: Shell["api"]): Promise<void> {
  const end = Date.now() + startsWithinMs;
  while (Date.now() < end) {
    await new Promise((resolve) => setTimeout(resolve, pollMs));
    const current = await api<{ openMode: boolean }>("/api/auth/me").catch(() => undefined);
    if (current && !current.openMode) return;
  }
}
