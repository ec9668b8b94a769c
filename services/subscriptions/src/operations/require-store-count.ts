import { invalidField } from '@shopscope/errors';
import { maxStoresPerCall } from '../domain/member.ts';

export function requireStoreCount(field: string, stores: readonly unknown[]): void {
  if (stores.length === 0 || stores.length > maxStoresPerCall) {
    throw invalidField(field, `must have 1 to ${maxStoresPerCall} entries`);
  }
}
