import type { AnyTable, Finding, Table } from '../table.ts';

/** Checks that need more than one table. They run when each table alone is valid. */
export type DataOf = <Data>(table: Table<Data>) => Data;

export interface TableFinding extends Finding {
  table: AnyTable;
}

export type Check = (dataOf: DataOf) => TableFinding[];
