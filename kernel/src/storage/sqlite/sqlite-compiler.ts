import {
  type BinaryOperationNode,
  OperatorNode,
  ReferenceNode,
  SqliteQueryCompiler,
  type CreateTableNode,
  type FunctionNode,
  type LimitNode,
  type OperationNode,
  type PrimaryKeyConstraintNode,
  ValueNode,
} from "kysely";
import { engineFunctions } from "@longbox/sdk";
import { toBoundJson } from "../engines/bound-values.js";

const equalities: ReadonlySet<string> = new Set(["=", "<>", "!="]);

/** SQLite's grammar, with the functions of the SDK that every engine spells in its own way. */
export class SqliteCompiler extends SqliteQueryCompiler {
  /**
   * Tables are strict, so that SQLite refuses what a typed engine would refuse. One whose key has several columns is
   * kept in the order of that key, without a second tree beside it.
   */
  protected override visitCreateTable(node: CreateTableNode): void {
    super.visitCreateTable(node);
    if (node.selectQuery || node.endModifiers?.length) return;
    const keyed = node.constraints?.find(isPrimaryKey);
    this.append(keyed && keyed.columns.length > 1 ? " strict, without rowid" : " strict");
  }

  /**
   * Writes a limit into the text of the statement. SQLite plans by its value: a statement whose limit is a parameter is
   * prepared again each time it runs, which takes longer than most statements do.
   */
  protected override visitLimit(node: LimitNode): void {
    const { limit } = node;
    const count = ValueNode.is(limit) ? limit.value : undefined;
    if (typeof count === "bigint" || Number.isSafeInteger(count)) this.append(`limit ${String(count)}`);
    else super.visitLimit(node);
  }

  /**
   * Writes a flag that a column is compared with into the text. Where a table has an index of the rows with one value
   * of a flag, SQLite plans by the value, as with a limit.
   */
  protected override visitBinaryOperation(node: BinaryOperationNode): void {
    const { leftOperand, operator, rightOperand } = node;
    const compares = OperatorNode.is(operator) && equalities.has(operator.operator) && ReferenceNode.is(leftOperand);
    if (!compares || !ValueNode.is(rightOperand) || !isFlag(rightOperand.value))
      return super.visitBinaryOperation(node);
    this.visitNode(leftOperand);
    this.append(` ${operator.operator} ${rightOperand.value}`);
  }

  protected override visitFunction(node: FunctionNode): void {
    if (node.func === engineFunctions.among) this.#writeAmong(node.arguments);
    else if (node.func === engineFunctions.rows) this.#writeRows(node.arguments as readonly ValueNode[]);
    else if (node.func === engineFunctions.perEngine) this.visitNode(node.arguments[0] as OperationNode);
    else super.visitFunction(node);
  }

  #writeAmong([column, values]: readonly OperationNode[]): void {
    this.visitNode(column as OperationNode);
    this.append(" in (select value from json_each(");
    this.appendValue(toBoundJson((values as ValueNode).value as readonly unknown[]));
    this.append("))");
  }

  #writeRows([columns, ...lists]: readonly ValueNode[]): void {
    const names = ((columns as ValueNode).value as [string, string][]).map(([name]) => name);
    this.append("(select ");
    names.forEach((name, index) => {
      this.append(`${index > 0 ? ", " : ""}value ->> ${index} as `);
      this.append(`"${this.sanitizeIdentifier(name)}"`);
    });
    this.append(" from json_each(");
    const values = lists.map((list) => list.value as readonly unknown[]);
    this.appendValue(toBoundJson((values[0] ?? []).map((_, row) => values.map((list) => list[row]))));
    // The limit makes SQLite keep these rows as a table, instead of reading the whole text again for each row it meets.
    this.append(") limit -1)");
  }
}

function isPrimaryKey(node: OperationNode): node is PrimaryKeyConstraintNode {
  return node.kind === "PrimaryKeyConstraintNode";
}

function isFlag(value: unknown): value is 0 | 1 {
  return value === 0 || value === 1;
}
