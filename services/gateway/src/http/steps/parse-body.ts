import { parseJsonBody } from '../input/validation.ts';
import type { ReadRequest, ServedOperation } from '../request.ts';

/** The JSON of a body as it was sent, or the error of parsing it. Undefined: the operation reads no body. */
export type ParsedBody = { value: unknown } | { error: unknown } | undefined;

export function parseBody({ operation, bytes, message }: ReadRequest & { operation: ServedOperation }): ParsedBody {
  const isSent = operation.method === 'POST' && bytes !== undefined && bytes.length > 0;
  if (!operation.body && !isSent) return undefined;
  try {
    return { value: parseJsonBody(bytes, message.headers['content-type']) };
  } catch (error) {
    return { error };
  }
}
