// Preloaded into a server: sets its clock to the moment at which the data of a release were made, from where it goes
// on. `LONGBOX_TEST_CLOCK` is that moment, less the present one, in milliseconds.
const shift = Number(process.env.LONGBOX_TEST_CLOCK ?? 0);
const RealDate = globalThis.Date;

globalThis.Date = class Date extends RealDate {
  constructor(...parts) {
    if (parts.length === 0) super(RealDate.now() + shift);
    else super(...parts);
  }

  static now() {
    return RealDate.now() + shift;
  }

  /** Dates that Node makes, such as those of files, are dates, too. */
  static [Symbol.hasInstance](value) {
    return value instanceof RealDate;
  }
};
