import { NotFound } from "@longbox/sdk";

export class BackupNotFound extends NotFound {
  constructor() {
    super("kernel/backup-not-found", "There is no backup of this name.");
  }
}
