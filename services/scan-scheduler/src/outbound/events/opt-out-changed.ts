import { OptOutChange, type OptOutChanged } from '@shopscope/proto';
import type { OptOut } from '../../domain/opt-out.ts';

/** Creates the event about the latest change of an opt-out. */
export function optOutChangedOf({ subject, createdAt, removedAt }: OptOut): OptOutChanged {
  const change = removedAt ? OptOutChange.WITHDRAWN : OptOutChange.ADDED;
  return { subject, change, changedAtMs: (removedAt ?? createdAt).getTime() };
}
