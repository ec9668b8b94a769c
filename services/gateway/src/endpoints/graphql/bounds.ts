/** The bounds of a document. They are checked before anything is read. */
export const bounds = {
  tokens: 5_000,
  /** Of brackets of all kinds, introspection included. */
  nesting: 64,
  comments: 1_000,
  /** A text in block quotes costs time for each of its lines. */
  lines: 5_000,
  aliases: 50,
  operations: 20,
  fragments: 100,
  /** The fields and spreads as they are written. */
  selections: 1_000,
  /** Of fields, except introspection. */
  depth: 8,
  nodes: 1_000,
  /** Of connections. Each page costs the work of a request, also if it has few rows or is free. */
  pages: 10,
  /** The visits to fields when fragments are expanded. */
  visits: 4_000,
  /** The values in the variables. */
  values: 2_000,
  /** The fields of the answer to an introspection. */
  introspectedFields: 9_000,
  responseBytes: 16 * 1_024 * 1_024,
} as const;
