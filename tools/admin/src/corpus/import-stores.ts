import { AppError } from '@shopscope/errors';
import type { GrpcClient } from '@shopscope/grpc';
import { newId, newTraceparent } from '@shopscope/ids';
import { ObservationCompleted, type ProfilesServiceService } from '@shopscope/proto';
import { type Patience, patientCall } from './patient-call.ts';
import type { Store } from './store-line.ts';

export interface ImportedStores {
  /** Stores that were read, and of which every observation is merged or was merged before. */
  stores: number;
  /** Numbers of observations, as {@link ImportObservationsResponse}. */
  merged: number;
  duplicates: number;
  superseded: number;
  rejected: number;
}

export interface ImportOptions extends Patience {
  profiles: Pick<GrpcClient<typeof ProfilesServiceService>, 'importObservations'>;
  stores: AsyncIterable<Store> | Iterable<Store>;
  /** The environment that the operator allows, by name; '' for none. */
  environment: string;
  /** Ends the import after the calls in progress. */
  abort?: AbortSignal | undefined;
  /** The id of all calls, in the log of profiles. */
  requestId?: string;
  onProgress?(done: ImportedStores): void;
}

/** As many as profiles merges in one transaction. */
const maxObservationsPerCall = 100;
/** gRPC allows 16 MB. Usual calls have 0.1 MB. */
const maxBytesPerCall = 4_000_000;
/** Calls at the same time. More are not faster: they use all processors of two, and most transactions that profiles begins. */
const maxCalls = 8;

/**
 * Merges stores through profiles. The benchmark fills its corpus with it too.
 *
 * - Order: the observations of a domain are merged in their order, whichever calls carry them.
 * - Bounds: {@link maxCalls} calls at the same time, each of {@link maxObservationsPerCall} observations and about
 *   {@link maxBytesPerCall}. While they run, no further store is read.
 * - Killed at any point, or `abort` -> the same import again skips what is merged, by scan id, and does the rest. The result
 *   is that of one import.
 * - profiles is unavailable -> {@link patientCall}.
 * - `stores` throws, or a call is refused -> rejects after the calls in progress.
 */
export async function importStores(options: ImportOptions): Promise<ImportedStores> {
  const { profiles, stores, environment, abort, onProgress, requestId = newId('req') } = options;
  const origin = { requestId, traceparent: newTraceparent(), environment: null };
  const done: ImportedStores = { stores: 0, merged: 0, duplicates: 0, superseded: 0, rejected: 0 };
  const calls = new Set<Call>();
  let refused: { error: unknown } | undefined;
  let unreadable: { error: unknown } | undefined;

  const call = async ({ observations, ends }: Batch) => {
    const request = { observations, environment };
    const counts = await patientCall((bounds) => profiles.importObservations(request, { ...bounds, origin }), options);
    done.stores += ends;
    for (const outcome of ['merged', 'duplicates', 'superseded', 'rejected'] as const) done[outcome] += counts[outcome];
    onProgress?.({ ...done });
  };
  const send = async (batch: Batch) => {
    const earlier = [...calls].filter(({ domains }) => [...batch.domains].some((domain) => domains.has(domain)));
    await Promise.all(earlier.map(({ ended }) => ended));
    while (calls.size >= maxCalls) await Promise.race([...calls].map(({ ended }) => ended));
    if (refused) return;
    const started: Call = { domains: batch.domains, ended: Promise.resolve() };
    started.ended = call(batch).then(
      () => void calls.delete(started),
      (error: unknown) => {
        calls.delete(started);
        refused ??= { error: withDomain(error, batch.observations) };
      },
    );
    calls.add(started);
  };

  let batch = newBatch();
  const add = async (store: Store) => {
    for (const [at, observation] of store.observations.entries()) {
      batch.observations.push(observation);
      batch.bytes += ObservationCompleted.encode(observation).finish().length;
      batch.domains.add(store.domain);
      if (at === store.observations.length - 1) batch.ends += 1;
      if (batch.observations.length < maxObservationsPerCall && batch.bytes < maxBytesPerCall) continue;
      const full = batch;
      batch = newBatch();
      await send(full);
    }
  };
  try {
    for await (const store of stores) {
      if (refused || abort?.aborted) break;
      await add(store);
    }
  } catch (error) {
    unreadable = { error };
  }
  // Observations before an invalid line are merged, too.
  if (batch.observations.length > 0 && !abort?.aborted) await send(batch);
  await Promise.all([...calls].map(({ ended }) => ended));
  const failure = refused ?? unreadable;
  if (failure && !abort?.aborted) throw failure.error;
  return done;
}

interface Batch {
  observations: ObservationCompleted[];
  bytes: number;
  domains: Set<string>;
  /** Stores whose last observation it has. */
  ends: number;
}

interface Call {
  domains: ReadonlySet<string>;
  ended: Promise<void>;
}

const newBatch = (): Batch => ({ observations: [], bytes: 0, domains: new Set(), ends: 0 });

/** A refusal names the place of an observation in its call. The operator knows the observation by its domain and sequence. */
function withDomain(error: unknown, observations: readonly ObservationCompleted[]): unknown {
  if (!(error instanceof AppError)) return error;
  const [, place, problem] = /^observations\[(\d+)\]: (.*)$/s.exec(error.publicMessage) ?? [];
  const observation = place === undefined ? undefined : observations[Number(place)];
  if (!observation) return error;
  const { domain, sequence } = observation;
  return new AppError(error.code, `${domain}, sequence ${sequence}: ${problem}`, { cause: error });
}
