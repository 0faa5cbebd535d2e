/** Names that the language itself looks up on objects. */
const notMethods: ReadonlySet<string> = new Set(["constructor", "then", "toJSON", "toString", "valueOf"]);

/** The names of an object's methods: its own functions, and those of its classes. */
export function methodsOf(value: object): string[] {
  const found = new Set<string>();
  for (
    let at: object | null = value;
    at !== null && at !== Object.prototype;
    at = Object.getPrototypeOf(at) as object | null
  )
    for (const [name, { value: method }] of Object.entries(Object.getOwnPropertyDescriptors(at)))
      if (typeof method === "function" && !notMethods.has(name)) found.add(name);
  return [...found];
}

/** The names of an object's accessors, whose values may change without notice. */
export function accessorsOf(value: object): string[] {
  const found = new Set<string>();
  for (
    let at: object | null = value;
    at !== null && at !== Object.prototype;
    at = Object.getPrototypeOf(at) as object | null
  )
    for (const [name, { get }] of Object.entries(Object.getOwnPropertyDescriptors(at)))
      if (get !== undefined && name !== "__proto__") found.add(name);
  return [...found];
}
