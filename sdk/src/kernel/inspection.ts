import { contract } from "../token.js";

/** What the kernel tells of itself to plugins that watch over it. Nothing in here is secret. */
export interface KernelInspectionContract {
  runtime(): Promise<{
    readonly version: string;
    readonly node: string;
    readonly platform: string;
    readonly uptimeSeconds: number;
    readonly residentBytes: number;
    readonly dataFolder: string;
    /** Free and whole size of the disk that holds the data folder, in bytes. */
    readonly disk: { readonly freeBytes: number; readonly sizeBytes: number };
    /** People whose session ends with the server, because the disk was full when they signed in. */
    readonly unstoredSessions: number;
  }>;
  /** What takes room in the data folder, in words such as `backups`, the largest first. Looks at every file. */
  usage(): Promise<ReadonlyArray<{ readonly name: string; readonly sizeBytes: number }>>;
  /** Every settings group, secrets masked as in `GET /api/settings`. */
  settings(): Promise<Record<string, Record<string, unknown>>>;
  /** A JSON value with every secret setting that is set taken out of its texts, wherever it stands and however it is escaped. For what leaves the server. */
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
  /** Whether the registry answers, and since when it has not. */
  registry(): Promise<{ readonly url: string; readonly reachable: boolean }>;
}

/** Provided by the kernel itself: always there. */
export const KernelInspection = contract<KernelInspectionContract>("kernel.inspection", "1.0.0");
