import { AppError } from '@shopscope/errors';
import { type ASTNode, GraphQLError, getLocation } from 'graphql';
import { sanitized } from '../../http/input/sanitized-input.ts';

/** The message may repeat the caller's text. */
const maxMessageLength = 300;

interface Place {
  line: number;
  column: number;
}

const documentError = (text: string, place: Place | undefined) => {
  const at = place ? ` (line ${place.line}, column ${place.column})` : '';
  const message = `query: ${sanitized(text, maxMessageLength)}${at}`;
  return new AppError('invalid_request', message, { details: { field: 'query' } });
};

/** A document that does not parse or validate. */
export const invalidDocument = ({ message, locations }: GraphQLError): AppError =>
  documentError(message.replace(/\.$/, ''), locations?.[0]);

/** A document that exceeds a bound or a rule of this service at `node`. */
export function refusedAt(node: ASTNode | undefined, text: string): AppError {
  const { loc } = node ?? {};
  return documentError(text, loc && getLocation(loc.source, loc.start));
}

/** Runs a step of a document. An error of the library is one of the document, so it becomes invalid_request. */
export function refusingInvalid<T>(run: () => T): T {
  try {
    return run();
  } catch (error) {
    if (error instanceof GraphQLError) throw invalidDocument(error);
    throw error;
  }
}
