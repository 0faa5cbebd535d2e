/** One rule of the repository. `find` answers with what breaks it, a line each; nothing means that it holds. */
export interface Check {
  readonly name: string;
  find(root: string): Promise<string[]>;
}
