import { AppError, invalidField } from '@shopscope/errors';
import type { CallContext } from '@shopscope/grpc';
import type { RecordAuditEntryRequest } from '@shopscope/proto';
import { parseId, parseText } from '@shopscope/text';
import type { ChainedEntry } from '../domain/audit-chain.ts';
import { maxDetailLength, type RecordedAction, recordedActions } from '../domain/audit-entry.ts';
import { recordedPerson } from '../domain/text.ts';
import { changeWorkspace } from './change-workspace.ts';
import type { Dependencies } from './dependencies.ts';
import { noSuchWorkspace } from './get-workspace.ts';

/**
 * Adds an entry for a change outside this service. The time of the entry is from the clock of this service. A deleted
 * workspace also accepts entries, because the record of a change can arrive after the deletion.
 *
 * Concurrency: a repeated call with the same id returns the first entry. If its other members differ, it throws `conflict`.
 */
export async function recordAuditEntry(
  deps: Dependencies,
  input: RecordAuditEntryRequest,
  context: CallContext,
): Promise<ChainedEntry> {
  // A subject can be an address, and a detail can contain one.
  const anyText = { noun: 'text', mayHaveAddresses: true };
  const { name: subjectName, email: subjectEmail } = recordedPerson(input.subjectPerson);
  const done = {
    id: parseId('id', input.id, 'aud'),
    action: parseAction(input.action),
    subjectId: parseText('subject_id', input.subjectId, { ...anyText, maxLength: 200 }),
    subjectName,
    subjectEmail,
    detail: parseText('detail', input.detail, { ...anyText, maxLength: maxDetailLength, mayBeEmpty: true }),
  };
  return changeWorkspace(deps, input, context, async ({ tx, by, audit }) => {
    const earlier = await deps.audit.find(done.id, tx);
    if (earlier) {
      const asked = Object.entries({ ...by, ...done });
      if (asked.every(([member, value]) => Reflect.get(earlier, member) === value)) return earlier;
      throw new AppError('conflict', 'There is another audit entry with this id.');
    }
    if (!(await deps.workspaces.isKnown(by.workspaceId, tx))) throw noSuchWorkspace();
    const [entry] = await audit(done);
    return entry as ChainedEntry;
  });
}

function parseAction(action: string): RecordedAction {
  const found = recordedActions.find((known) => known === action);
  if (found) return found;
  throw invalidField('action', `must be one of ${recordedActions.join(', ')}`);
}
