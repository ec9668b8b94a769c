import { isUtf8 } from 'node:buffer';
import { AppError, invalidField } from '@shopscope/errors';
import type { z } from 'zod';
import { describeIssue, describeJsonError } from './describe-issue.ts';
import { requirementOf } from './requirement-of.ts';
import { quoted, sanitizedName } from './sanitized-input.ts';

/** Validates input with a schema. Throws invalid_request that names the field. */
export function validate<Schema extends z.ZodObject>(schema: Schema, value: unknown, source: string): z.output<Schema> {
  const parsed = schema.safeParse(value, { error: requirementOf });
  if (parsed.success) return parsed.data;
  throw describeIssue(parsed.error.issues[0] as z.core.$ZodIssue, value, source);
}

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
