/** Things of one kind that something is done with: one, or a selection of many. */
export interface ClientSubjects {
  /** What they are, in the word of the plugin that shows them, such as `shelf`. */
  readonly kind: string;
  /** Their fields as the page has them; actions name these in their addresses, bodies and conditions. */
  readonly items: ReadonlyArray<Readonly<Record<string, unknown>>>;
}

/** Something that an active plugin lets this user do with the subjects; as a manifest declares it under `client.actions`. */
export interface OfferedAction {
  /** `<plugin>.<action>`. */
  readonly id: string;
  readonly label: string;
  readonly icon: string | undefined;
  /** It stands as a button; the others are in the menu behind ⋯. */
  readonly isPrimary: boolean;
  readonly isDangerous: boolean;
  /** Where it leads, when it is a link. */
  readonly href: string | undefined;
  /** Asks first where the manifest says so, does it, and says how it went. Never rejects. */
  run(): Promise<void>;
}

/** What a plugin says of something that is shown: a number, a tick, how far it is, or a mark. */
export type ClientBadge =
  | { readonly kind: "count"; readonly value: number; readonly label: string }
  | { readonly kind: "tick"; readonly label: string }
  /** @property value - Between 0 and 1 */
  | { readonly kind: "progress"; readonly value: number; readonly label: string }
  | { readonly kind: "mark"; readonly icon: string; readonly label: string };

/** What plugins say of one thing: badges to show, and facts that the conditions of actions may name. */
export interface BadgedFacts {
  readonly badges: readonly ClientBadge[];
  readonly facts: Readonly<Record<string, boolean | number | string>>;
}
