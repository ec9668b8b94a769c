import { AppError } from '@shopscope/errors';
import { type ASTNode, GraphQLError, getLocation, type SourceLocation } from 'graphql';
import { sanitized } from '../../http/input/sanitized-input.ts';

/** The message may repeat the caller's text. */
const maxMessageLength = 300;

const textAt = ({ line, column }: SourceLocation): string => ` (line ${line}, column ${column})`;

/** The text that names the place of a node. */
export function placeOf(node: ASTNode | undefined): string {
  const { loc } = node ?? {};
  return loc ? textAt(getLocation(loc.source, loc.start)) : '';
}

const documentError = (text: string, place: string, field = 'query') =>
  new AppError('invalid_request', `${field}: ${sanitized(text, maxMessageLength)}${place}`, { details: { field } });

/** Returns the error of a document that does not parse or validate, or of invalid variables. */
export function invalidDocument({ message, locations }: GraphQLError, field?: 'variables'): AppError {
  const [place] = locations ?? [];
  return documentError(message.replace(/\.$/, ''), place ? textAt(place) : '', field);
}

/** Returns the error of a document that exceeds a bound or breaks a rule of this service at `node`. */
export const refusedAt = (node: ASTNode | undefined, text: string): AppError => documentError(text, placeOf(node));

/** Runs a step of a document. An error of the GraphQL library means that the document is invalid, so it becomes invalid_request. */
export function refusingInvalid<T>(run: () => T): T {
  try {
    return run();
  } catch (error) {
    if (error instanceof GraphQLError) throw invalidDocument(error);
    throw error;
  }
}
