import { isUtf8 } from 'node:buffer';
import { AppError, invalidField } from '@shopscope/errors';
import type { z } from 'zod';

/** From what came over the wire to validated input. Every refusal is invalid_request and names the field. */
export function parseWith<Schema extends z.ZodObject>(schema: Schema, value: unknown, whole: string): z.output<Schema> {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw refusal(parsed.error.issues, whole);
}

function refusal(issues: readonly z.core.$ZodIssue[], whole: string): AppError {
  const [first] = issues;
  if (!first) return invalidField(whole, 'is not valid');
  if (first.code === 'unrecognized_keys') {
    const names = first.keys
      .slice(0, 5)
      .map((key) => key.slice(0, 100))
      .join(', ');
    return invalidField(names, `unknown ${whole === 'body' ? 'member' : 'parameter'}`);
  }
  const field = first.path.length === 0 ? whole : first.path.join('.');
  return invalidField(field, first.message);
}

/** Query parameters, each at most once. */
export function parseQuery(text: string): Record<string, string> {
  const query: Record<string, string> = {};
  if (text === '') return query;
  for (const pair of text.split('&')) {
    if (pair === '') continue;
    const cut = pair.indexOf('=');
    const name = decode(cut < 0 ? pair : pair.slice(0, cut), 'query');
    const value = decode(cut < 0 ? '' : pair.slice(cut + 1), name);
    if (Object.hasOwn(query, name)) throw invalidField(name.slice(0, 100), 'must be given once');
    Object.defineProperty(query, name, { value, enumerable: true });
  }
  return query;
}

function decode(text: string, field: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    throw invalidField(field.slice(0, 100), 'is not valid percent-encoded UTF-8');
  }
}

export function parsePathParams(encoded: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(encoded).map(([name, text]) => {
      try {
        return [name, decodeURIComponent(text)];
      } catch {
        throw invalidField(name, 'is not valid percent-encoded UTF-8');
      }
    }),
  );
}

const jsonMediaType = /^application\/json\s*(?:;\s*charset\s*=\s*"?utf-8"?\s*)?$/i;

/** A JSON body. `contentType` is the header. */
export function parseJsonBody(body: Buffer | undefined, contentType: string | undefined): unknown {
  if (body === undefined || body.length === 0) throw invalidField('body', 'is required');
  if (contentType === undefined || !jsonMediaType.test(contentType)) {
    throw invalidField('Content-Type', 'must be application/json');
  }
  if (!isUtf8(body)) throw invalidField('body', 'must be UTF-8');
  try {
    return JSON.parse(body.toString('utf8'));
  } catch (cause) {
    throw new AppError('invalid_request', 'body: must be valid JSON', { cause, details: { field: 'body' } });
  }
}
