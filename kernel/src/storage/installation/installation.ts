import { statSync } from "node:fs";
import { relative, sep } from "node:path";
import type { Logger } from "@longbox/sdk";
import type { DatabasePlace } from "../engines/driver.js";
import { translateStorageFault } from "../storage-fault.js";
import type { Engine } from "../sqlite/engine.js";
import { databasePath } from "../sqlite/database-path.js";
import { newMarker, readMarker, writeMarker, type Marker } from "./marker.js";
import { unfit } from "./refusals.js";
import { readStamp, writeStamp, type Stamp } from "./stamp.js";

export interface InstallationParts {
  /** The data folder. */
  readonly folder: string;
  readonly log: Logger;
  /** Whether any plugin has a database already. */
  readonly hasPluginData: () => Promise<boolean>;
}

/** What was counted when a database was opened. */
interface Counts {
  readonly marker: Marker;
  readonly stamp: Stamp | undefined;
}

/** A database that belongs here. */
export interface OpenedDatabase<E extends Engine> {
  readonly engine: E;
  /** Counts the opening; to be called between transactions once something was written. Only the first call counts. */
  readonly wrote: () => void;
}

/**
 * Knows which databases belong to this data folder. A marker beside the data, and a stamp in each database, carry the
 * installation's id and a count of the openings in which something was written; so a database that is missing, empty,
 * older or from elsewhere is refused by name instead of passing for a new one.
 *
 * The count is written into the database first, and into the marker afterwards: a database may be ahead of the marker,
 * never behind it.
 */
export class Installation {
  readonly #parts: InstallationParts;
  #marker: Promise<Marker> | undefined;
  #writing: Promise<void> = Promise.resolve();
  #isPending = false;

  constructor(parts: InstallationParts) {
    this.#parts = parts;
  }

  /** Whether a database was there when this place was used last. */
  async expects(place: DatabasePlace): Promise<boolean> {
    return this.#key(place) in (await this.#opened(place)).databases;
  }

  /**
   * Opens a database that belongs here. A new one gets its stamp at once.
   * @throws {LongboxError} `kernel/database-missing`, `-empty`, `-older`, `-foreign`
   */
  async open<E extends Engine>(place: DatabasePlace, open: () => E): Promise<OpenedDatabase<E>> {
    const marker = await this.#opened(place);
    const path = databasePath(place);
    const known = marker.databases[this.#key(place)];
    if (known !== undefined && sizeBytesOf(path) === 0)
      throw unfit(place.owner, path, sizeOf(path) === undefined ? "missing" : "empty");
    const engine = open();
    try {
      const stamp = this.#recognise(place, engine, marker);
      let isCounted = stamp === undefined;
      const wrote = () => {
        if (isCounted) return;
        isCounted = true;
        this.#countWriting(place, engine, { marker, stamp });
      };
      return { engine, wrote };
    } catch (fault) {
      engine.close();
      throw translateStorageFault(fault, path);
    }
  }

  /** A place is given up: nothing is expected there any more. */
  async forget(place: DatabasePlace): Promise<void> {
    const marker = await this.#opened(place);
    if (!(this.#key(place) in marker.databases)) return;
    delete marker.databases[this.#key(place)];
    this.#write(marker);
    await this.#writing;
  }

  /** Settles when the marker is written. */
  async release(): Promise<void> {
    await this.#writing;
  }

  #opened(place: DatabasePlace): Promise<Marker> {
    this.#marker ??= this.#open(place).catch((fault: unknown) => {
      this.#marker = undefined;
      throw fault;
    });
    return this.#marker;
  }

  /** Without a marker this is the first start in the folder, or the first since there are markers. */
  async #open(first: DatabasePlace): Promise<Marker> {
    const written = await readMarker(this.#parts.folder);
    if (written !== undefined) return written;
    const path = databasePath(first);
    if (first.owner === "kernel" && sizeBytesOf(path) === 0 && (await this.#parts.hasPluginData()))
      throw unfit("kernel", path, "missing");
    const marker = newMarker();
    this.#write(marker);
    // A database must not say that it belongs to an installation whose marker the power may still take.
    await this.#writing;
    return marker;
  }

  /** @returns its stamp; undefined for a new one, whose first opening is counted */
  #recognise(place: DatabasePlace, engine: Engine, marker: Marker): Stamp | undefined {
    const key = this.#key(place);
    const known = marker.databases[key];
    const stamp = readStamp(engine);
    if (stamp === undefined) {
      if (known !== undefined) throw unfit(place.owner, databasePath(place), "empty");
      this.#count(place, engine, { marker, stamp });
      return undefined;
    }
    this.#compare(place, stamp, marker);
    if (stamp.epoch !== known) {
      marker.databases[key] = stamp.epoch;
      this.#write(marker);
    }
    return stamp;
  }

  /** Where nothing more can be written, reading goes on, and what was counted before still holds. */
  #countWriting(place: DatabasePlace, engine: Engine, counts: Counts): void {
    const isGivenUp = !(this.#key(place) in counts.marker.databases);
    if (isGivenUp) return;
    try {
      this.#count(place, engine, counts);
    } catch (fault) {
      this.#parts.log.warn(
        "A database could not be marked as written to; an older copy of it would not be recognised.",
        {
          path: databasePath(place),
          fault: String(fault),
        },
      );
    }
  }

  #count(place: DatabasePlace, engine: Engine, { marker, stamp }: Counts): void {
    const key = this.#key(place);
    const epoch = Math.max(marker.databases[key] ?? 0, stamp?.epoch ?? 0) + 1;
    writeStamp(engine, { installation: marker.id, owner: place.owner, epoch });
    marker.databases[key] = epoch;
    this.#write(marker);
  }

  #compare(place: DatabasePlace, stamp: Stamp, marker: Marker): void {
    const known = marker.databases[this.#key(place)];
    // A marker that was lost comes back from the accounts' database, which is opened first.
    if (Object.keys(marker.databases).length === 0 && place.owner === "kernel") marker.id = stamp.installation;
    const isForeign = stamp.installation !== marker.id || stamp.owner !== place.owner;
    if (isForeign) throw unfit(place.owner, databasePath(place), "foreign");
    if (known !== undefined && stamp.epoch < known) throw unfit(place.owner, databasePath(place), "older");
  }

  /** The openings of a start are written together. What could not be written is written with the next. */
  #write(marker: Marker): void {
    if (this.#isPending) return;
    this.#isPending = true;
    this.#writing = this.#writing.then(async () => {
      await new Promise((resolve) => setImmediate(resolve));
      this.#isPending = false;
      await writeMarker(this.#parts.folder, marker).catch((fault: unknown) =>
        this.#parts.log.warn("The marker of the installation could not be written.", { fault: String(fault) }),
      );
    });
  }

  #key({ folder }: DatabasePlace): string {
    return relative(this.#parts.folder, folder).split(sep).join("/");
  }
}

const sizeOf = (path: string) => statSync(path, { throwIfNoEntry: false })?.size;
const sizeBytesOf = (path: string) => sizeOf(path) ?? 0;
