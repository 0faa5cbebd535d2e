import type { ClientDownload, ClientOrder, Grab } from "@longbox/downloads/contract";

/** One program that downloads from Usenet. For what each method answers, see `DownloadClient`. */
export interface UsenetProgram {
  add(grab: Grab, order: ClientOrder): Promise<{ readonly id: string }>;
  find(key: string): Promise<{ readonly id: string } | undefined>;
  poll(ids: readonly string[]): Promise<readonly ClientDownload[]>;
  remove(id: string, deleteFiles: boolean): Promise<void>;
}
