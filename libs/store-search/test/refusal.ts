import { AppError } from '@shopscope/errors';
import type { z } from 'zod';

/** Returns the first fault of a request as `path: requirement`. For a union, it is the fault of the branch that has the type of the value. */
export function refusalOf(schema: z.ZodType, value: unknown): string | undefined {
  const first = schema.safeParse(value).error?.issues[0];
  return first && describe(first, first.path);
}

function describe(issue: z.core.$ZodIssue, path: PropertyKey[]): string {
  if (issue.code === 'invalid_union') {
    const branches = issue.errors.map(([first]) => first).filter((first) => first !== undefined);
    const inner = branches.find((first) => first.code !== 'invalid_type' || first.path.length > 0);
    if (inner) return describe(inner, [...path, ...inner.path]);
  }
  const field = path.map((part) => (typeof part === 'number' ? `[${part}]` : `.${String(part)}`)).join('');
  return `${field.slice(1)}: ${issue.code === 'unrecognized_keys' ? `unknown ${issue.keys}` : issue.message}`;
}

/** Returns the public message of the error that `run` throws. */
export function refusedBy(run: () => unknown): string {
  try {
    run();
  } catch (error) {
    if (error instanceof AppError) return error.publicMessage;
    throw error;
  }
  throw new Error('nothing was refused');
}
