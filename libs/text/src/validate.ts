import type { z } from 'zod';
import { describeIssue } from './describe-issue.ts';
import { requirementOf } from './requirement-of.ts';

/** Validates input with a schema. Throws invalid_request that names the field. `source` names the whole input: see describe-issue.ts. */
export function validate<Schema extends z.ZodType>(schema: Schema, value: unknown, source: string): z.output<Schema> {
  const parsed = schema.safeParse(value, { error: requirementOf });
  if (parsed.success) return parsed.data;
  throw describeIssue(parsed.error.issues[0] as z.core.$ZodIssue, value, source);
}
