import type { AnyTable, Finding, Table } from '../table.ts';

/** The data of the valid tables, for checks that need more than one table. These checks run only if each single table is valid. */
export type DataOf = <Data>(table: Table<Data>) => Data;

export interface TableFinding extends Finding {
  table: AnyTable;
}

export type Check = (dataOf: DataOf) => TableFinding[];
