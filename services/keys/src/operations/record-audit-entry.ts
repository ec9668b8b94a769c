import { AppError, invalidField } from '@shopscope/errors';
import type { CallContext } from '@shopscope/grpc';
import type { RecordAuditEntryRequest } from '@shopscope/proto';
import { givenText } from '@shopscope/text';
import type { ChainedEntry } from '../domain/audit-chain.ts';
import { maxDetailLength, type RecordedAction, recordedActions } from '../domain/audit-entry.ts';
import { givenId, recordedPerson } from '../domain/text.ts';
import { givenBy, recordAudit } from './audit.ts';
import { changeWorkspace } from './change-workspace.ts';
import type { Dependencies } from './dependencies.ts';
import { noSuchWorkspace } from './get-workspace.ts';

/**
 * Adds an entry for a change outside this service. The instant of the entry is this service's. A deleted workspace accepts
 * entries too, because the record of a change can arrive after the deletion.
 *
 * Concurrency: a repeated call with the same id returns the first entry; with other members it is a `conflict`.
 */
export async function recordAuditEntry(
  deps: Dependencies,
  input: RecordAuditEntryRequest,
  context: CallContext,
): Promise<ChainedEntry> {
  const workspaceId = givenId('workspace_id', input.workspaceId, 'ws');
  // A subject can be an address, and a detail can name one.
  const anyText = { noun: 'text', mayHaveAddresses: true };
  const by = givenBy(input);
  const done = {
    id: givenId('id', input.id, 'aud'),
    action: givenAction(input.action),
    subjectId: givenText('subject_id', input.subjectId, { ...anyText, maxLength: 200 }),
    detail: givenText('detail', input.detail, { ...anyText, maxLength: maxDetailLength, mayBeEmpty: true }),
  };
  const asked = { workspaceId, ...done, actor: by.actor, actorAddress: by.actorAddress, ...persons(input) };
  return changeWorkspace(deps, workspaceId, context, async (tx) => {
    const earlier = await deps.audit.find(asked.id, tx);
    if (earlier) {
      if (Object.entries(asked).every(([member, value]) => Reflect.get(earlier, member) === value)) return earlier;
      throw new AppError('conflict', 'There is another audit entry with this id.');
    }
    if (!(await deps.workspaces.isKnown(workspaceId, tx))) throw noSuchWorkspace();
    const { subjectPerson } = input;
    const [entry] = await recordAudit(deps, tx, { workspaceId, ...by }, { ...done, subjectPerson });
    return entry as ChainedEntry;
  });
}

function persons({ actorPerson, subjectPerson }: RecordAuditEntryRequest) {
  const { name: actorName, email: actorEmail } = recordedPerson(actorPerson);
  const { name: subjectName, email: subjectEmail } = recordedPerson(subjectPerson);
  return { actorName, actorEmail, subjectName, subjectEmail };
}

function givenAction(action: string): RecordedAction {
  const found = recordedActions.find((known) => known === action);
  if (found) return found;
  throw invalidField('action', `must be one of ${recordedActions.join(', ')}`);
}
