const free = 0;

/**
 * Documents by the ids of their issues, in 8 bytes of a flat table for each: a `Map` of a million takes five times
 * that. Ids are never removed, only pointed to another document.
 */
export class IdMap {
  #ids: Uint32Array;
  #documents: Uint32Array;
  #used = 0;

  constructor(expected = 0) {
    const room = Math.max(1024, 2 ** Math.ceil(Math.log2(expected * 1.6 + 1)));
    this.#ids = new Uint32Array(room);
    this.#documents = new Uint32Array(room);
  }

  get(id: number): number | undefined {
    const place = this.#placeOf(id);
    return this.#ids[place] === free ? undefined : this.#documents[place];
  }

  /** @param id - 1 to 2^32 - 1 */
  set(id: number, document: number): void {
    if (this.#used * 1.4 > this.#ids.length) this.#grow();
    const place = this.#placeOf(id);
    if (this.#ids[place] === free) this.#used++;
    this.#ids[place] = id;
    this.#documents[place] = document;
  }

  #placeOf(id: number): number {
    const mask = this.#ids.length - 1;
    let place = Math.imul(id, 0x9e3779b1) >>> 0;
    place = (place ^ (place >>> 15)) & mask;
    while (this.#ids[place] !== free && this.#ids[place] !== id) place = (place + 1) & mask;
    return place;
  }

  #grow(): void {
    const [ids, documents] = [this.#ids, this.#documents];
    this.#ids = new Uint32Array(ids.length * 2);
    this.#documents = new Uint32Array(ids.length * 2);
    for (let at = 0; at < ids.length; at++) {
      if (ids[at] === free) continue;
      const place = this.#placeOf(ids[at]!);
      this.#ids[place] = ids[at]!;
      this.#documents[place] = documents[at]!;
    }
  }
}
