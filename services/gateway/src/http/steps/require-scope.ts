import { AppError } from '@shopscope/errors';
import type { Caller } from '../../keys/caller.ts';
import type { ServedOperation } from '../request.ts';
import type { ParsedBody } from './parse-body.ts';

/** Requires the scopes of the operation: also one that depends on the body, even if the body is invalid. */
export function requireScope({ scope, bodyScope }: ServedOperation, { scopes }: Caller, parsed: ParsedBody): void {
  if (scope && !scopes.includes(scope)) {
    throw new AppError('forbidden_scope', `This operation needs the scope ${scope}.`);
  }
  const more = bodyScope?.(membersOf(parsed));
  if (more && !scopes.includes(more.scope)) {
    throw new AppError(
      'forbidden_scope',
      `${more.reason} needs the scope ${more.scope}, which this key does not have.`,
    );
  }
}

function membersOf(parsed: ParsedBody): Readonly<Record<string, unknown>> {
  const value = parsed && 'value' in parsed ? parsed.value : undefined;
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}
