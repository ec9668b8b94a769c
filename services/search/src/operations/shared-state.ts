import { AppError } from '@shopscope/errors';
import { type EditionState, noEditions } from '../domain/edition-state.ts';
import { type IndexState, noIndexes } from '../domain/index-state.ts';
import type { StateDocuments } from '../outbound/opensearch/state-documents.ts';

/** The documents of state, by id. */
interface SharedState {
  indexes: IndexState;
  editions: EditionState;
}

const empty: SharedState = { indexes: noIndexes, editions: noEditions };
/** Other instances change a document at most a few times per second. */
const maxAttempts = 10;

type Name = keyof SharedState;
type StateDependencies = { states: StateDocuments };

export async function readState<N extends Name>(
  { states }: StateDependencies,
  name: N,
  options?: { timeoutMs: number },
): Promise<SharedState[N]> {
  return (await states.read<SharedState[N]>(name, options))?.value ?? empty[name];
}

/**
 * Changes a document of state in one step, and resolves to the new state. `change` may run several times. If `change` returns undefined, nothing
 * changes, and the call resolves to undefined.
 */
export async function changeState<N extends Name, Next extends SharedState[N]>(
  { states }: StateDependencies,
  name: N,
  change: (state: SharedState[N]) => Next | undefined,
): Promise<Next | undefined> {
  for (let attempt = 1; attempt <= maxAttempts; attempt++) {
    const before = await states.read<SharedState[N]>(name);
    const next = change(before?.value ?? empty[name]);
    if (!next || (await states.write(name, next, before))) return next;
  }
  throw new AppError('unavailable', 'Searches are not available; retry shortly.', {
    internal: `the state of ${name} changed ${maxAttempts} times meanwhile`,
  });
}
