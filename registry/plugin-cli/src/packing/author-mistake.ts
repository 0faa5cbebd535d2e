// What keeps a plugin from being packed, as an error that says where.

/** Where a mistake is. */
export interface MistakePlace {
  /** Relative to the plugin's folder, or absolute. */
  readonly file?: string | undefined;
  /** From 1. */
  readonly line?: number | undefined;
}

/** The author has to change something before the plugin can be packed. */
export class AuthorMistake extends Error {
  /** The code that an installation has for it, where that would refuse the same. */
  readonly code: string;
  readonly place: MistakePlace;

  constructor(code: string, message: string, place: MistakePlace = {}) {
    super(message);
    this.code = code;
    this.place = place;
  }
}
