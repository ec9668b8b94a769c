import { type FailureKind, kindOf } from './errors.ts';

/** The part of a response to `_bulk` that says what failed. Each item has one member, named after its action. */
export interface BulkResponse {
  errors: boolean;
  items: readonly Record<string, BulkItem>[];
}

interface BulkItem {
  _id?: string | null;
  status: number;
  error?: { type: string; reason?: string | null };
}

export interface BulkFailure {
  /** Of the action in the request, from 0. */
  position: number;
  id: string;
  kind: FailureKind;
  message: string;
}

/** The failed actions of a bulk request. OpenSearch sends them within a response with status 200. */
export function bulkFailures({ errors, items }: BulkResponse): BulkFailure[] {
  if (!errors) return [];
  return items.flatMap((item, position) => {
    const [outcome] = Object.values(item);
    if (!outcome?.error) return [];
    const { type, reason } = outcome.error;
    const message = `${type}: ${reason ?? ''}`;
    return [{ position, id: outcome._id ?? '', kind: kindOf(outcome.status, type), message }];
  });
}
