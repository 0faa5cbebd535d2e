import { releasable, type Releasable } from "@longbox/sdk";
import { TypedEmitter } from "tiny-typed-emitter";

/** Something that happens inside the kernel, for its own parts to hear. */
export class Happening<T> {
  readonly #emitter = new TypedEmitter<{ happened: (value: T) => void }>();

  constructor() {
    this.#emitter.setMaxListeners(0);
  }

  tell(value: T): void {
    this.#emitter.emit("happened", value);
  }

  /** A listener that throws does not keep the others from hearing; what it threw surfaces as an uncaught error. */
  on(listener: (value: T) => void): Releasable {
    const guarded = (value: T) => {
      try {
        listener(value);
      } catch (thrown) {
        queueMicrotask(() => {
          throw thrown;
        });
      }
    };
    this.#emitter.on("happened", guarded);
    return releasable(() => void this.#emitter.off("happened", guarded));
  }
}
