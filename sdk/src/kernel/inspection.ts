import type { LocalizedText } from "../texts/localized-text.js";
import { contract } from "../token.js";

/** A text in English; that of an error with its code and details. */
export interface SaidText {
  readonly text: string;
  readonly code?: string | undefined;
  readonly details?: unknown;
}

/** The state of the kernel, for plugins that monitor it. It contains no secrets. */
export interface KernelInspectionContract {
  runtime(): Promise<{
    readonly version: string;
    readonly node: string;
    readonly platform: string;
    readonly uptimeSeconds: number;
    readonly residentBytes: number;
    readonly dataFolder: string;
    /** Free and total size of the disk with the data folder, in bytes. */
    readonly disk: { readonly freeBytes: number; readonly sizeBytes: number };
    /** Users whose session ends with the server, because the disk was full when they signed in. */
    readonly unstoredSessions: number;
  }>;
  /**
   * The setting `server.publicUrl`: the public address of this server, without a trailing slash; empty when it is not
   * set.
   */
  publicUrl(): Promise<string>;
  /** Disk usage of the data folder by category, such as `backups`, largest first. Reads the size of every file. */
  usage(): Promise<ReadonlyArray<{ readonly name: string; readonly sizeBytes: number }>>;
  /** Every settings group, secrets masked as in `GET /api/settings`. */
  settings(): Promise<Record<string, Record<string, unknown>>>;
  /**
   * Removes all secret settings from the texts of a JSON value, in any position and escaping. Use it for data that
   * leaves the server.
   */
  withoutSecrets(value: unknown): Promise<unknown>;
  /** The rows of `GET /api/plugins`. */
  plugins(): Promise<
    ReadonlyArray<{
      readonly name: string;
      readonly version: string;
      readonly state: string;
      readonly reason?: string | undefined;
      readonly faults: number;
    }>
  >;
  /**
   * What the server says in English, such as the title of a schedule or why a job failed, in the languages in which a
   * running plugin has it. Where the text is the message of an error, its code and details find the translation.
   */
  inEachLanguage(said: SaidText): Promise<LocalizedText>;
  /** Whether the registry answers, and otherwise since when it has not. */
  registry(): Promise<{ readonly url: string; readonly reachable: boolean }>;
}

/** The state of the kernel, for plugins that monitor it. Provided by the kernel itself. */
export const KernelInspection = contract<KernelInspectionContract>("kernel.inspection", "1.1.0");
