import { z } from 'zod';

/**
 * The members of a tool's input, which also take what language models send in place of a value. The published schema stays the same.
 *
 * - null, "null", "None" or an empty text for a member that may be left out.
 * - A text for a number, a boolean or a list: "20", "20.0", "true", "[\"a.example\"]", "['a.example']", "a.example, b.example".
 * - A list of one text for a text.
 * - Another value for a text, also within a list: its JSON. So one wrong entry of a list does not refuse the others.
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

/** A value that cannot be read as `kind` is returned as it is, for the schema to refuse. */
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

/** The words of a text, also of a list as Python writes it. */
const wordsOf = (text: string) =>
  text
    .trim()
    .replace(/^\[(.*)\]$/s, '$1')
    .split(/[\s,;]+/)
    .map((word) => word.replace(/^(['"])(.*)\1$/, '$2'))
    .filter(Boolean);

/** Undefined for a text that is not JSON list. A text can be the JSON of such a text. */
function parsedList(text: string): unknown[] | undefined {
  try {
    const parsed: unknown = JSON.parse(text);
    if (typeof parsed === 'string') return parsedList(parsed);
    return Array.isArray(parsed) ? parsed : undefined;
  } catch {
    return undefined;
  }
}
