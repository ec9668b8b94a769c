import { ApiError, type Client, type components } from '@shopscope/client';
import type { Call } from '../command.ts';
import { InterruptedError } from '../exit-codes.ts';
import { write } from '../terminal.ts';
import { confirmAge } from './confirm.ts';
import { deleteState, type ListState, otherRun, readState, stateFileOf, writeState } from './state.ts';

export type Job = components['schemas']['Job'];

/** Statuses of a refusal: the service has started no job. */
const refusals = [400, 402, 403, 404];

/** Reads the state of an earlier run with the same output. Throws UsageError if it was called otherwise. */
export async function readListState(
  output: string,
  { list, refresh }: Pick<ListState, 'list' | 'refresh'>,
): Promise<ListState | undefined> {
  const state = await readState(output);
  if (!state) return undefined;
  if (!('list' in state)) throw otherRun(output, 'with a FILE');
  if (state.list !== list) throw otherRun(output, `with --list ${state.list}`);
  if (state.refresh !== refresh) throw otherRun(output, `${state.refresh ? 'with' : 'without'} --refresh`);
  return state;
}

/**
 * Resolves to the job of the run. With an output, the state is written before the start, and again with the id of the job.
 *
 * - The run ends before the response has arrived -> the same command repeats the request with the same key, and gets the same job.
 * - The service refuses the start -> no state remains, because there is nothing to continue.
 */
export async function startOrContinue(
  { terminal, options }: Call,
  client: Client,
  state: ListState,
  isContinued: boolean,
): Promise<Job> {
  const { output } = options;
  const signal = terminal.interrupted;
  const { list, refresh, maxUnits, key } = state;
  if (state.job !== undefined) {
    const start = `To start another, delete ${stateFileOf(output ?? '')}.`;
    await write(terminal.stderr, `Continues the job ${state.job}. ${start}\n`);
    return client.getJob(state.job, { signal });
  }
  if (isContinued && !options.yes) await confirmAge(terminal, state);
  if (output !== undefined) await writeState(output, state);
  try {
    const job = await client.enrichList(list, { refresh, max_units: maxUnits }, { idempotencyKey: key, signal });
    if (output !== undefined) await writeState(output, { ...state, job: job.id });
    return job;
  } catch (error) {
    if (output !== undefined && error instanceof ApiError && refusals.includes(error.status)) await deleteState(output);
    if (signal.aborted) throw new InterruptedError(afterInterruption(output));
    throw error;
  }
}

const afterInterruption = (output: string | undefined) =>
  output === undefined
    ? 'The job may have started: `shopscope jobs --type enrich` lists it.'
    : 'The job may have started. Run the same command again to continue; nothing is billed twice.';
