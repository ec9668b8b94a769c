import { isUtf8 } from 'node:buffer';
import { AppError, invalidField } from '@shopscope/errors';
import { quoted, sanitizedName } from '@shopscope/text';

/** Parses a query string. Each parameter may occur once. */
export function parseQuery(text: string): Record<string, string> {
  const query: Record<string, string> = {};
  const counts = new Map<string, number>();
  if (text === '') return query;
  for (const pair of text.split('&')) {
    if (pair === '') continue;
    const cut = pair.indexOf('=');
    const name = decode(cut < 0 ? pair : pair.slice(0, cut), 'query');
    const value = decode(cut < 0 ? '' : pair.slice(cut + 1), name);
    counts.set(name, (counts.get(name) ?? 0) + 1);
    if (!Object.hasOwn(query, name)) Object.defineProperty(query, name, { value, enumerable: true });
  }
  for (const [name, count] of counts) {
    if (count > 1) throw invalidField(sanitizedName(name), `must be given once, not ${count} times`);
  }
  return query;
}

function decode(text: string, field: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    throw notPercentEncoded(sanitizedName(field), text);
  }
}

const notPercentEncoded = (field: string, text: string) =>
  invalidField(field, `must be percent-encoded UTF-8, not ${quoted(text)}`);

export function parsePathParams(encoded: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(encoded).map(([name, text]) => {
      try {
        return [name, decodeURIComponent(text)];
      } catch {
        throw notPercentEncoded(name, text);
      }
    }),
  );
}

const byteOrderMark = Buffer.from('\uFEFF');
const jsonMediaType = /^application\/json\s*(?:;\s*charset\s*=\s*"?utf-8"?\s*)?$/i;

/** Parses a JSON body. `contentType` is the header Content-Type. */
export function parseJsonBody(body: Buffer | undefined, contentType: string | undefined): unknown {
  if (body === undefined || body.length === 0) throw invalidField('body', 'is required and must be an object');
  if (contentType === undefined || contentType === '') {
    throw invalidField('Content-Type', 'is required and must be application/json');
  }
  if (!jsonMediaType.test(contentType)) {
    throw invalidField('Content-Type', `must be application/json, not ${quoted(contentType)}`);
  }
  if (startsWithMark(body))
    throw invalidField('body', 'must be UTF-8 without a byte order mark (U+FEFF), which it begins with');
  if (!isUtf8(body)) throw invalidField('body', 'must be UTF-8, not other bytes');
  try {
    return JSON.parse(body.toString('utf8'));
  } catch (cause) {
    throw new AppError('invalid_request', `body: ${describeJsonError(cause)}`, { cause, details: { field: 'body' } });
  }
}

const startsWithMark = (body: Buffer) => [...byteOrderMark].every((byte, at) => body[at] === byte);

/**
 * Describes a JSON syntax error, with line and column if the parser reports them. The parser's message is not repeated,
 * because it may contain the caller's text. For the same reason a position is read only at the end of the message.
 */
function describeJsonError(error: unknown): string {
  const { message } = error as Error;
  if (message.startsWith('Unexpected end')) return 'must be valid JSON; it ends too early';
  const [, line, column] = / \(line (\d+) column (\d+)\)$/.exec(message) ?? [];
  if (line === undefined) return 'must be valid JSON; it has an unexpected token';
  return `must be valid JSON; the fault is at line ${line}, column ${column}`;
}
