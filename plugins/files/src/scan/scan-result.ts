/** What a scan says when it has ended. */
export interface ScanResult {
  readonly message?: string;
  readonly error?: string;
}
