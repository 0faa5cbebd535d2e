import "reflect-metadata";
import { container, inject as injectAny, injectable, type DependencyContainer } from "tsyringe";

export { injectable };

/** Names a part that no class stands for, and carries its type. */
export type Token<T> = symbol & { readonly of?: T };

/** What a part is known by: its class, or a token. */
export type Known<T> = Token<T> | (abstract new (...needs: never[]) => T);

type Constructor = abstract new (...needs: never[]) => unknown;
type PartClass = new (...needs: never[]) => object;

/** Accepts the position of a constructor's parameter only where the parameter takes a `T`. */
type ParameterOf<T> = <C extends Constructor, const I extends number>(
  target: C,
  key: undefined,
  index: T extends ConstructorParameters<C>[I] ? I : never,
) => void;

/** @param name - as it stands in the error for a part that is missing */
export function token<T>(name: string): Token<T> {
  return Symbol(name);
}

/** Says what a parameter of a constructor needs. A type other than the parameter's does not compile. */
export function inject<T>(known: Known<T>): ParameterOf<T> {
  return injectAny(known as symbol);
}

/** As `inject`; the parameter is undefined where nothing is registered. */
export function injectOptional<T>(known: Token<T>): ParameterOf<T | undefined> {
  return injectAny(known, { isOptional: true });
}

/** The parts that belong together: those of one kernel, or those of one activation, which also sees the kernel's. */
export class Parts {
  readonly #container: DependencyContainer;

  constructor(outer?: Parts) {
    this.#container = (outer ? outer.#container : container).createChildContainer();
    this.value(Parts, this);
  }

  /** Registers something that is there already. Undefined registers nothing: see `injectOptional`. */
  value<T>(known: Known<T>, value: NoInfer<T> | undefined): this {
    if (value !== undefined) this.#container.registerInstance<unknown>(known as symbol, value);
    return this;
  }

  /** Lets a token stand for a part that is registered under its class. */
  alias<T>(known: Token<T>, part: Known<T>): this {
    this.#container.register(known, { useToken: part as symbol });
    return this;
  }

  /** Registers classes, of each of which there is one, made when it is first needed. */
  classes(...classes: readonly PartClass[]): this {
    // The container wants constructors without parameters; it fills them in.
    for (const one of classes) this.#container.registerSingleton(one as never);
    return this;
  }

  /** @throws {Error} naming the parts on the way, when something that it needs is not registered */
  get<T>(known: Known<T>): T {
    return this.#container.resolve<T>(known as symbol);
  }

  /** Disposes of the parts that these made and that have a `dispose`. Nothing can be had from them afterwards. */
  async dispose(): Promise<void> {
    await this.#container.dispose();
  }
}
