import { releasable, type Releasable, type Topic } from "@longbox/sdk";
import { runAs, type Attributed } from "../containment/attribution.js";

interface TopicOwner extends Attributed {
  /** The error for those who use the topic after the owner has stopped. */
  stopped(): Error;
}

type Report = (plugin: string, fault: unknown, where: string) => void;

/** An in-process event. Each listener runs as its subscriber; one that throws does not disturb the others. */
export function makeTopic<T>(
  owner: TopicOwner,
  name: string,
  { subscriber, report }: { readonly subscriber: () => Attributed | undefined; readonly report: Report },
): Topic<T> & Releasable {
  const listeners = new Set<{ readonly listener: (value: T) => void; readonly by: Attributed }>();
  let closed = false;
  const deliver = ({ listener, by }: { listener: (value: T) => void; by: Attributed }, value: T) => {
    const failed = (fault: unknown) => report(by.id, fault, `a listener of the event "${name}"`);
    try {
      void Promise.resolve(runAs(by, () => listener(value)) as unknown).catch(failed);
    } catch (fault) {
      failed(fault);
    }
  };
  return {
    publish(value) {
      if (closed) throw owner.stopped();
      for (const entry of [...listeners]) deliver(entry, value);
    },
    subscribe(listener) {
      if (closed) throw owner.stopped();
      const entry = { listener, by: subscriber() ?? owner };
      listeners.add(entry);
      return releasable(() => void listeners.delete(entry));
    },
    release() {
      closed = true;
      listeners.clear();
    },
  };
}
