import {
  PostgresQueryCompiler,
  type ForeignKeyConstraintNode,
  type FunctionNode,
  type LimitNode,
  type OperationNode,
  type ReferencesNode,
  type ValueNode,
} from "kysely";
import { engineFunctions } from "@longbox/sdk";

/** The types of the columns that `givenRows` of the SDK may carry. */
const listTypes: Readonly<Record<string, string>> = {
  id: "bigint",
  instant: "bigint",
  count: "bigint",
  flag: "bigint",
  real: "double precision",
  text: "text",
  folded: "text",
};
const [least, most] = [-(2 ** 31), 2 ** 31 - 1];

/** PostgreSQL's grammar, with the functions of the SDK that every engine spells in its own way. */
export class PostgresCompiler extends PostgresQueryCompiler {
  /**
   * A number says its type, because PostgreSQL takes a parameter for text where nothing else tells: in `case`, in a
   * selected value. Values of inserted rows get the type of their column, and do not come here.
   */
  protected override visitValue(node: ValueNode): void {
    super.visitValue(node);
    if (node.immediate !== true) this.append(castOf(node.value));
  }

  /** A negative limit is none, as SQLite has it. */
  protected override visitLimit(node: LimitNode): void {
    const { limit } = node;
    if (isValue(limit) && Number(limit.value) < 0) this.append("limit all");
    else super.visitLimit(node);
  }

  protected override visitFunction(node: FunctionNode): void {
    if (node.func === engineFunctions.among) this.#writeAmong(node.arguments);
    else if (node.func === engineFunctions.rows) this.#writeRows(node.arguments as readonly ValueNode[]);
    else if (node.func === engineFunctions.perEngine) this.visitNode(node.arguments[1] as OperationNode);
    else super.visitFunction(node);
  }

  /** A migration puts the checks of keys off to the end of its step; at all other times they are made at once. */
  protected override visitReferences(node: ReferencesNode): void {
    super.visitReferences(node);
    if (this.parentNode?.kind !== "ForeignKeyConstraintNode") this.append(" deferrable");
  }

  protected override visitForeignKeyConstraint(node: ForeignKeyConstraintNode): void {
    super.visitForeignKeyConstraint(node);
    if (node.deferrable === undefined) this.append(" deferrable");
  }

  #writeAmong([column, values]: readonly OperationNode[]): void {
    const list = (values as ValueNode).value as readonly unknown[];
    this.visitNode(column as OperationNode);
    this.append(" = any(");
    this.appendValue(list);
    this.append(list.every((value) => typeof value === "number") && list.length > 0 ? "::bigint[])" : ")");
  }

  #writeRows([columns, ...lists]: readonly ValueNode[]): void {
    const named = (columns as ValueNode).value as [string, string][];
    this.append("(select * from unnest(");
    lists.forEach((list, index) => {
      if (index > 0) this.append(", ");
      this.appendValue(list.value);
      this.append(`::${listTypes[named[index]?.[1] ?? ""] ?? "text"}[]`);
    });
    const names = named.map(([name]) => `"${this.sanitizeIdentifier(name)}"`).join(", ");
    this.append(`) as given_rows (${names}))`);
  }
}

function isValue(node: OperationNode): node is ValueNode {
  return node.kind === "ValueNode";
}

function castOf(value: unknown): string {
  if (typeof value !== "number") return "";
  if (!Number.isSafeInteger(value)) return "::float8";
  return value >= least && value <= most ? "::int4" : "::int8";
}
