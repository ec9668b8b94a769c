import { AppError, invalidField } from '@shopscope/errors';
import type { CallContext } from '@shopscope/grpc';
import type { ChainedEntry } from '../domain/audit-chain.ts';
import { detailLengthMax, type RecordedAction, recordedActions } from '../domain/audit-entry.ts';
import { givenActor, givenAddress, givenId, givenName, givenText } from '../domain/text.ts';
import { recordAudit } from './audit.ts';
import { changeWorkspace } from './change-workspace.ts';
import type { Dependencies } from './dependencies.ts';
import { noSuchWorkspace } from './get-workspace.ts';

export interface RecordAuditEntry {
  id: string;
  workspaceId: string;
  actor: string;
  actorAddress: string;
  action: string;
  subjectId: string;
  detail: string;
}

/**
 * Adds an entry for a change outside this service. The instant of the entry is this service's. A deleted workspace accepts
 * entries too, because the record of a change can arrive after the deletion.
 *
 * Concurrency: a repeated call with the same id returns the first entry; with other members it is a `conflict`.
 */
export async function recordAuditEntry(
  deps: Dependencies,
  input: RecordAuditEntry,
  context: CallContext,
): Promise<ChainedEntry> {
  const workspaceId = givenId('workspace_id', input.workspaceId, 'ws');
  const asked = {
    id: givenId('id', input.id, 'aud'),
    workspaceId,
    actor: givenActor(input.actor),
    actorAddress: givenAddress('actor_address', input.actorAddress),
    action: givenAction(input.action),
    subjectId: givenName('subject_id', input.subjectId, 200),
    detail: givenText('detail', input.detail, detailLengthMax),
  };
  return changeWorkspace(deps, workspaceId, context, async (tx) => {
    const earlier = await deps.audit.find(asked.id, tx);
    if (earlier) {
      if (Object.entries(asked).every(([member, value]) => Reflect.get(earlier, member) === value)) return earlier;
      throw new AppError('conflict', 'There is another audit entry with this id.');
    }
    if (!(await deps.workspaces.isKnown(workspaceId, tx))) throw noSuchWorkspace();
    const { actor, actorAddress, ...done } = asked;
    const [entry] = await recordAudit(deps, tx, { workspaceId, actor, actorAddress }, done);
    return entry as ChainedEntry;
  });
}

function givenAction(action: string): RecordedAction {
  const found = recordedActions.find((known) => known === action);
  if (found) return found;
  throw invalidField('action', `must be one of ${recordedActions.join(', ')}`);
}
