/** The bounds of a document. They are checked before anything is read. */
export const bounds = {
  tokens: 5_000,
  /** The depth of nested brackets of all kinds, also in an introspection. */
  nesting: 64,
  comments: 1_000,
  /** The lines of the document. The parser needs time for each line of a block string. */
  lines: 5_000,
  aliases: 50,
  operations: 20,
  fragments: 100,
  /** The fields and spreads as they are written, before fragments are expanded. */
  selections: 1_000,
  /** The depth of nested fields, except in an introspection. */
  depth: 8,
  nodes: 1_000,
  /** The visits to fields when fragments are expanded. */
  visits: 4_000,
  /** The values in the variables. */
  values: 2_000,
  /** The fields of the answer to an introspection. */
  introspectedFields: 9_000,
  responseBytes: 16 * 1_024 * 1_024,
} as const;
