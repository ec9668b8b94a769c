import { AppError } from '@shopscope/errors';
import type { Scope } from '@shopscope/proto';
import type { Caller } from './caller.ts';

/** Throws `forbidden_scope` with the first scope that the key does not have. */
export function requireScopes({ scopes }: Pick<Caller, 'scopes'>, needed: readonly (Scope | undefined)[]): void {
  const missing = needed.find((scope) => scope !== undefined && !scopes.includes(scope));
  if (missing) throw new AppError('forbidden_scope', `This operation needs the scope ${missing}.`);
}
