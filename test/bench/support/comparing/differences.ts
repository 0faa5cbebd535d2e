/** How a benchmark is run for a comparison, besides as it is. */
export interface Variant {
  readonly name: string;
  readonly environment: Readonly<Record<string, string>>;
}

/** The plugins that the server had before, and those that parts of them have moved to. */
const formerPlugins = [
  ...["collection", "files", "imaging", "lists", "metadata", "opds", "operations", "reader", "stats", "web"],
  ...["comics", "reading"],
];

/** Benchmarks that are run once more, in a way that says more about what has become slower. */
export const variants: Readonly<Record<string, Variant>> = {
  start: {
    name: "start, the same plugins",
    environment: {
      LONGBOX_DEFAULT_PLUGINS: formerPlugins.map((id) => `@longbox/${id}@1.0.0`).join(","),
    },
  },
};

/** What a benchmark measures today that it did not at the commit 8950479, so that a ratio above 1 is read correctly. */
export const differences: Readonly<Record<string, string>> = {
  start: "28 default plugins are started in place of 10",
  scan: "a fingerprint of the contents of every file is read and stored",
  opds: "feeds of series ask which series have a cover",
};
