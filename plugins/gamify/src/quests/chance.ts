import { createHash } from "node:crypto";

/** Random numbers that are the same for the same seed. */
export class Chance {
  #count = 0;

  constructor(private readonly seed: string) {}

  /** From 0 up to 1. */
  next(): number {
    this.#count += 1;
    return createHash("sha256").update(`${this.seed} ${this.#count}`).digest().readUInt32BE() / 2 ** 32;
  }

  /** Numbers of their own, so that what is drawn here does not depend on when others draw. */
  apart(name: string): Chance {
    return new Chance(`${this.seed} ${name}`);
  }

  shuffle<T>(list: readonly T[]): T[] {
    return list
      .map((item) => ({ item, place: this.next() }))
      .sort((one, other) => one.place - other.place)
      .map(({ item }) => item);
  }
}
