import type { CallContext } from '@shopscope/grpc';
import type { Tx } from '@shopscope/mongo';
import type { KeyChange, KeyChanged } from '@shopscope/proto';
import { parseId } from '@shopscope/text';
import { type Actor, type Audited, givenBy, recordAudit } from './audit.ts';
import type { Dependencies } from './dependencies.ts';

/** A change of a workspace in its transaction: its actor and time, and functions that add audit entries and events. */
export type Change = ReturnType<typeof changeIn>;

function changeIn(
  deps: Dependencies,
  tx: Tx,
  by: ReturnType<typeof givenBy> & { workspaceId: string },
  context: CallContext,
) {
  const { workspaceId } = by;
  const at = new Date(deps.clock.now());
  /** Adds one event per element of `each` to the outbox, in this order. */
  const announceEach = (change: KeyChange, each: readonly Partial<KeyChanged>[]): Promise<void> => {
    const event = { change, workspaceId, atMs: at.getTime() };
    return deps.appendEvents(tx, context.origin, ...each.map((members) => ({ ...event, ...members })));
  };
  return {
    tx,
    at,
    by,
    context,
    /** Adds entries to the audit log. */
    audit: (...done: readonly Audited[]) => recordAudit(deps, tx, { ...by, at }, done),
    /** Adds an event to the outbox. */
    announce: (change: KeyChange, members: Partial<KeyChanged> = {}) => announceEach(change, [members]),
    announceEach,
  };
}

/** Runs `work` in a transaction, after earlier changes of the workspace in this instance. Throws for a malformed id or actor. */
export async function changeWorkspace<T>(
  deps: Dependencies,
  input: Actor & { workspaceId: string },
  context: CallContext,
  work: (change: Change) => Promise<T>,
): Promise<T> {
  parseId('workspace_id', input.workspaceId, 'ws');
  return inTurn(deps, input, context, work);
}

/** Like {@link changeWorkspace}, for a change that concerns all workspaces. */
export const changeForAllWorkspaces = <T>(
  deps: Dependencies,
  { actor }: { actor: string },
  context: CallContext,
  work: (change: Change) => Promise<T>,
) => inTurn(deps, { workspaceId: '', actor }, context, work);

async function inTurn<T>(
  deps: Dependencies,
  { workspaceId, ...actor }: Actor & { workspaceId: string },
  context: CallContext,
  work: (change: Change) => Promise<T>,
): Promise<T> {
  const by = { ...givenBy(actor), workspaceId };
  const change = () => deps.transact((tx) => work(changeIn(deps, tx, by, context)), context);
  return deps.changes.run(workspaceId, change, context.deadline);
}
