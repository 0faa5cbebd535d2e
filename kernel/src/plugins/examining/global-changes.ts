/** What every module of a process shares, and whose change would change the server and all other plugins. */
const builtIns = [
  ...["Object", "Function", "Array", "String", "Number", "Boolean", "BigInt", "Symbol", "Promise", "RegExp", "Date"],
  ...["Map", "Set", "WeakMap", "WeakSet", "ArrayBuffer", "Uint8Array", "URL", "Math", "JSON"],
] as const;

/** The observation of timers replaces and restores them itself. */
const observed = new Set(["setTimeout", "setInterval"]);
/** Libraries tidy up in it; it is heard once, at the end. */
const harmlessEvents = new Set<string | symbol>(["exit", "beforeExit", "newListener", "removeListener"]);

/** Notes the globals, built-in objects and listeners of this process. @returns tells what has been changed since */
export function observeGlobals(): () => string[] {
  const globals = Object.getOwnPropertyDescriptors(globalThis) as Described;
  const inside = sharedObjects();
  const listeners = countListeners();
  return () => {
    const now = Object.getOwnPropertyDescriptors(globalThis) as Described;
    const changed = changedNames(globals, now).filter((name) => !observed.has(name));
    const objects = [...sharedObjects()].filter(([name, after]) => changedNames(inside.get(name) ?? {}, after).length);
    const heard = [...countListeners()].filter(([event, count]) => count > (listeners.get(event) ?? 0));
    return [
      ...changed.map((name) => `${Object.hasOwn(globals, name) ? "replaces" : "sets"} the global "${name}"`),
      ...objects.map(([name]) => `changes the built-in object "${name}"`),
      ...heard.map(([event]) => `listens to the event "${String(event)}" of the process`),
    ];
  };
}

type Described = Readonly<Record<string, PropertyDescriptor>>;

/** Names that are new, gone, or other than before. */
function changedNames(before: Described, after: Described): string[] {
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...names].filter((name) => !isSame(before[name], after[name]));
}

function isSame(before: PropertyDescriptor | undefined, after: PropertyDescriptor | undefined): boolean {
  if (!before || !after) return false;
  // Node replaces the getter of some globals by their value when they are first read.
  if (before.get && !after.get) return Object.is(before.get.call(globalThis), after.value);
  return before.get === after.get && Object.is(before.value, after.value);
}

function sharedObjects(): ReadonlyMap<string, Described> {
  const objects = builtIns.flatMap((name): [string, object][] => {
    const object = Reflect.get(globalThis, name) as object | undefined;
    if (!isObject(object)) return [];
    const prototype: unknown = Reflect.get(object, "prototype");
    return [[name, object], ...(isObject(prototype) ? [[`${name}.prototype`, prototype] as [string, object]] : [])];
  });
  return new Map(objects.map(([name, object]) => [name, Object.getOwnPropertyDescriptors(object) as Described]));
}

const isObject = (value: unknown): value is object =>
  (typeof value === "object" && value !== null) || typeof value === "function";

function countListeners(): Map<string | symbol, number> {
  const events = process.eventNames().filter((event) => !harmlessEvents.has(event));
  return new Map(events.map((event) => [event, process.listenerCount(event)]));
}
