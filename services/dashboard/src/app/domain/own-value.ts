/**
 * The value of a name that a caller chose. Undefined if the table has no such name. `table[name]` would also find members that every object
 * inherits, such as `constructor`.
 */
export const ownValue = <T>(table: Readonly<Record<string, T>>, name: string): T | undefined =>
  Object.hasOwn(table, name) ? table[name] : undefined;
