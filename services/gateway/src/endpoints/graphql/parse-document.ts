import { invalidField } from '@shopscope/errors';
import { quoted } from '@shopscope/text';
import {
  type DocumentNode,
  type FragmentDefinitionNode,
  GraphQLError,
  Kind,
  Lexer,
  type OperationDefinitionNode,
  OverlappingFieldsCanBeMergedRule,
  parse,
  type SelectionSetNode,
  Source,
  specifiedRules,
  TokenKind,
  validate,
} from 'graphql';
import { LRUCache } from 'lru-cache';
import { bounds } from './bounds.ts';
import { invalidDocument, refusedAt } from './document-error.ts';
import { schema } from './schema.ts';

/**
 * Parses and validates a document. Each step bounds the work of the next one:
 *
 * 1. The tokens are counted, and the nesting of brackets, because the parser is recursive.
 * 2. The parser.
 * 3. The aliases, operations and fragments are counted.
 * 4. The rules of GraphQL up to the first error. The rule about fields that merge takes quadratic time, so select-fields.ts checks it.
 *
 * A valid document is kept, because programs send one text again with other variables. These steps take longer than the rest of the plan.
 */
export interface ParsedDocument extends ValidDocument {
  operation: OperationDefinitionNode;
}

interface ValidDocument {
  operations: readonly OperationDefinitionNode[];
  fragments: ReadonlyMap<string, FragmentDefinitionNode>;
}

/** A kept document uses up to about 150 bytes for each character of its text, so all of them use 10 MB. */
const keptCharacters = 65_536;
const kept = new LRUCache<string, ValidDocument>({ maxSize: keptCharacters, sizeCalculation: (_, key) => key.length });

const rules = specifiedRules.filter((rule) => rule !== OverlappingFieldsCanBeMergedRule);
const opening: ReadonlySet<TokenKind> = new Set([TokenKind.BRACE_L, TokenKind.BRACKET_L, TokenKind.PAREN_L]);
const closing: ReadonlySet<TokenKind> = new Set([TokenKind.BRACE_R, TokenKind.BRACKET_R, TokenKind.PAREN_R]);

/** Each workspace has its own documents. Otherwise the time of a response would show whether another workspace has sent the same text. */
export function parseDocument(
  workspaceId: string,
  text: string,
  operationName: string | null | undefined,
): ParsedDocument {
  const key = `${workspaceId} ${text}`;
  let document = kept.get(key);
  if (!document) {
    document = parseValid(text);
    kept.set(key, document);
  }
  return { ...document, operation: chosenOperation(document.operations, operationName) };
}

function parseValid(text: string): ValidDocument {
  const source = new Source(text, 'query');
  scan(source);
  const document = parse(source);
  const fragments = new Map<string, FragmentDefinitionNode>();
  const operations: OperationDefinitionNode[] = [];
  for (const definition of document.definitions) {
    if (definition.kind === Kind.FRAGMENT_DEFINITION) fragments.set(definition.name.value, definition);
    if (definition.kind === Kind.OPERATION_DEFINITION) operations.push(definition);
  }
  countDefinitions(document, operations);
  const [error] = validate(schema, document, rules, { maxErrors: 1 });
  if (error) throw invalidDocument(error);
  return { operations, fragments };
}

/** Throws a GraphQLError, as the parser does. */
function scan(source: Source): void {
  const refuse = (text: string, position: number) => new GraphQLError(text, { source, positions: [position] });
  const { comments, lines } = countSigns(source.body);
  if (comments > bounds.comments) throw refuse('The document must have at most 1,000 comments', 0);
  if (lines > bounds.lines) throw refuse('The document must have at most 5,000 lines', 0);
  const lexer = new Lexer(source);
  let nesting = 0;
  for (let tokens = 1; ; tokens++) {
    const { kind, start } = lexer.advance();
    if (kind === TokenKind.EOF) return;
    if (tokens > bounds.tokens) throw refuse('The document must have at most 5,000 tokens', start);
    if (opening.has(kind)) nesting++;
    if (closing.has(kind)) nesting--;
    if (nesting > bounds.nesting) throw refuse(`Brackets must be nested at most ${bounds.nesting} deep`, start);
  }
}

/** Counts the signs that begin a comment or end a line, wherever they are. */
function countSigns(text: string): { comments: number; lines: number } {
  let comments = 0;
  let lines = 1;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === 0x23) comments++;
    else if (code === 0x0a || code === 0x0d) lines++;
  }
  return { comments, lines };
}

function countDefinitions({ definitions }: DocumentNode, operations: readonly OperationDefinitionNode[]): void {
  const other = operations.find(({ operation }) => operation !== 'query');
  if (other) throw refusedAt(other, `A document must be a query, not a ${other.operation}; webhooks deliver changes`);
  const extra = operations[bounds.operations];
  if (extra) throw refusedAt(extra, `A document must have at most ${bounds.operations} operations`);
  const fragment = definitions.filter(({ kind }) => kind === Kind.FRAGMENT_DEFINITION)[bounds.fragments];
  if (fragment) throw refusedAt(fragment, `A document must have at most ${bounds.fragments} fragments`);
  let aliases = 0;
  let written = 0;
  const count = ({ selections }: SelectionSetNode): void => {
    for (const selection of selections) {
      if (++written > bounds.selections) {
        throw refusedAt(selection, 'A document must have at most 1,000 fields and spreads');
      }
      if (selection.kind === Kind.FIELD && selection.alias && ++aliases > bounds.aliases) {
        throw refusedAt(selection, `A document must have at most ${bounds.aliases} aliases`);
      }
      if ('selectionSet' in selection && selection.selectionSet) count(selection.selectionSet);
    }
  };
  for (const definition of definitions) if ('selectionSet' in definition) count(definition.selectionSet);
}

function chosenOperation(
  operations: readonly OperationDefinitionNode[],
  name: string | null | undefined,
): OperationDefinitionNode {
  const [only, ...others] = operations;
  if (!only) throw refusedAt(undefined, 'The document must have an operation');
  if (name === null || name === undefined) {
    if (others.length === 0) return only;
    throw invalidField('operationName', `is required, because the document has ${operations.length} operations`);
  }
  const chosen = operations.find((operation) => operation.name?.value === name);
  if (chosen) return chosen;
  throw invalidField('operationName', `must be the name of an operation of the document, not ${quoted(name)}`);
}
