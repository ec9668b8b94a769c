import { z } from 'zod';

/**
 * The members of a tool's input, which also take what language models send in place of a value. The published schema stays the same.
 *
 * - null for a member that may be left out.
 * - A text for a number, a boolean or a list: "20", "true", "[\"a.example\"]", "a.example, b.example".
 * - Another value for a text, also within a list: its JSON. So one wrong entry of a list does not refuse the others.
 */
export function forgiving<Shape extends z.ZodRawShape>(shape: Shape): Shape {
  const members = Object.entries(shape).map(([name, member]) => [name, forgivingMember(member as z.ZodType)]);
  return Object.fromEntries(members);
}

function forgivingMember(member: z.ZodType): z.ZodType {
  const kind = kindOf(member);
  const mayBeLeftOut = member.safeParse(undefined).success;
  return z.preprocess((value) => (value === null ? (mayBeLeftOut ? undefined : null) : readAs(kind, value)), member);
}

function kindOf(member: z.ZodType): string {
  let schema: z.core.$ZodType = member;
  while (schema instanceof z.ZodOptional || schema instanceof z.ZodDefault) schema = schema.def.innerType;
  return schema._zod.def.type;
}

/** A value that cannot be read as `kind` is returned as it is, for the schema to refuse. */
function readAs(kind: string, value: unknown): unknown {
  if (kind === 'string') return typeof value === 'number' ? String(value) : value;
  if (kind === 'array') return entriesOf(value);
  if (typeof value !== 'string') return value;
  const text = value.trim();
  if (kind === 'number' && /^-?\d{1,15}$/.test(text)) return Number(text);
  if (kind === 'boolean' && /^(?:true|false)$/i.test(text)) return text.toLowerCase() === 'true';
  return value;
}

function entriesOf(value: unknown): unknown {
  const list = typeof value === 'string' ? (parsedList(value) ?? value.split(/[\s,;]+/).filter(Boolean)) : value;
  if (!Array.isArray(list)) return list;
  return list.map((entry) => (typeof entry === 'string' ? entry : JSON.stringify(entry)));
}

/** Undefined for a text that is no JSON list. */
function parsedList(text: string): unknown[] | undefined {
  try {
    const parsed: unknown = JSON.parse(text);
    return Array.isArray(parsed) ? parsed : undefined;
  } catch {
    return undefined;
  }
}
