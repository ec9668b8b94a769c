import { hash } from 'node:crypto';
import { AppError, invalidField } from '@shopscope/errors';
import { canonicalJson } from '@shopscope/text';
import { keeperOf, type WorkspaceVisit } from '../../app/operations/visit.ts';
import { fieldOf } from '../domain/field-of.ts';
import type { StoreFilter } from '../domain/store-filter.ts';

/** An Idempotency-Key that a form which is sent again has, too. */
export const idempotencyKeyOf = (visit: WorkspaceVisit, parts: unknown[]): string =>
  `find-${hash('sha256', canonicalJson([keeperOf(visit), ...parts]), 'base64url')}`;

/** Runs work on a query. An error about a member of the query becomes an error of the form's field. */
export async function withFields<T>(filter: StoreFilter, work: () => T): Promise<Awaited<T>> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'invalid_request') throw error;
    const [, path = '', words = ''] = /^([\w.[\]]+): (.*)$/s.exec(error.publicMessage) ?? [];
    const field = fieldOf(filter, path);
    throw field === undefined ? error : invalidField(field, words);
  }
}
