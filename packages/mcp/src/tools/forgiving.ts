import { z } from 'zod';

/**
 * Extends the members of a tool's input to accept values that language models send in another form. The published
 * schema stays the same.
 *
 * - An optional member accepts null, "null", "None" and an empty text.
 * - A number, a boolean or a list may be a text: "20", "20.0", "true", "[\"a.example\"]", "['a.example']", "a.example,
 *   b.example".
 * - A text may be a list of one text.
 * - Any other value for a text becomes its JSON, even within a list. One wrong entry therefore does not refuse the
 *   whole list.
 */
export function forgiving<Shape extends z.ZodRawShape>(shape: Shape): Shape {
  const members = Object.entries(shape).map(([name, member]) => [name, forgivingMember(member as z.ZodType)]);
  return Object.fromEntries(members);
}

function forgivingMember(member: z.ZodType): z.ZodType {
  const kind = kindOf(member);
  const mayBeLeftOut = member.safeParse(undefined).success;
  return z.preprocess((value) => (mayBeLeftOut && isNothing(value) ? undefined : readAs(kind, value)), member);
}

const isNothing = (value: unknown) =>
  value === null || (typeof value === 'string' && /^\s*(?:null|none)?\s*$/i.test(value));

function kindOf(member: z.ZodType): string {
  let schema: z.core.$ZodType = member;
  while (schema instanceof z.ZodOptional || schema instanceof z.ZodDefault) schema = schema.def.innerType;
  return schema._zod.def.type;
}

/** Returns the value as `kind`. Otherwise returns it unchanged, so that the schema refuses it. */
function readAs(kind: string, value: unknown): unknown {
  if (kind === 'string' || kind === 'enum') {
    const one = Array.isArray(value) && value.length === 1 ? value[0] : value;
    return typeof one === 'number' ? String(one) : typeof one === 'string' ? one.trim() : value;
  }
  if (kind === 'array') return entriesOf(value);
  if (typeof value !== 'string') return value;
  const text = value.trim();
  if (kind === 'number' && /^[+-]?\d{1,15}(?:\.0+)?$/.test(text)) return Number(text);
  if (kind === 'boolean' && /^(?:true|false)$/i.test(text)) return text.toLowerCase() === 'true';
  return value;
}

function entriesOf(value: unknown): unknown {
  const list = typeof value === 'string' ? (parsedList(value) ?? wordsOf(value)) : value;
  if (!Array.isArray(list)) return list;
  return list.map((entry) => (typeof entry === 'string' ? entry : JSON.stringify(entry)));
}

/** Returns the words of a text. Also reads a list in the notation of Python. */
const wordsOf = (text: string) =>
  text
    .trim()
    .replace(/^\[(.*)\]$/s, '$1')
    .split(/[\s,;]+/)
    .map((word) => word.replace(/^(['"])(.*)\1$/, '$2'))
    .filter(Boolean);

/** Returns undefined if the text is not a JSON list. The text can also be a JSON string that contains the list. */
function parsedList(text: string): unknown[] | undefined {
  try {
    const parsed: unknown = JSON.parse(text);
    if (typeof parsed === 'string') return parsedList(parsed);
    return Array.isArray(parsed) ? parsed : undefined;
  } catch {
    return undefined;
  }
}
