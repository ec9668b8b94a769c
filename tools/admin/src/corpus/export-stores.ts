import type { GrpcClient } from '@shopscope/grpc';
import {
  type ExportObservationsResponse,
  type ObservationCompleted,
  ObservationOutcome,
  type ProfilesServiceService,
} from '@shopscope/proto';
import { type Patience, patientCall } from './patient-call.ts';
import type { Store } from './store-line.ts';

export interface ExportOptions extends Patience {
  profiles: Pick<GrpcClient<typeof ProfilesServiceService>, 'exportObservations'>;
  /** The environment that the operator allows, by name; '' for none. */
  environment: string;
  /** After each page: the stores of the corpus at that time. */
  onPage?(stores: number): void;
}

/**
 * The stores of the corpus by ascending domain, each with its kept observations by ascending sequence.
 *
 * - Memory: one page and the observations of one store. The next page is requested while this one is used.
 * - A domain without a kept observation of the outcome `observed` is omitted: either it is not a store, or its observations were
 *   deleted after OBSERVATION_RETENTION_DAYS.
 */
export async function* exportStores(options: ExportOptions): AsyncGenerator<Store> {
  const { profiles, environment, onPage } = options;
  const request = (afterDomain: string, afterSequence: number) =>
    patientCall((call) => profiles.exportObservations({ afterDomain, afterSequence, environment }, call), options);
  let next: ReturnType<typeof request> | undefined = request('', 0);
  /** The observations of one domain, by descending sequence. */
  let latest: ObservationCompleted[] = [];
  while (next) {
    const { observations, hasMore, stores }: ExportObservationsResponse = await next;
    const last = observations.at(-1);
    next = hasMore && last ? request(last.domain, last.sequence) : undefined;
    // The loop below may end early. Then nobody waits for the page.
    next?.catch(() => {});
    onPage?.(stores);
    for (const observation of observations) {
      if (latest.length > 0 && latest[0]?.domain !== observation.domain) {
        yield* storeOf(latest);
        latest = [];
      }
      latest.push(observation);
    }
  }
  yield* storeOf(latest);
}

function* storeOf(latest: readonly ObservationCompleted[]): Generator<Store> {
  const [first] = latest;
  if (!first || !latest.some(({ outcome }) => outcome === ObservationOutcome.OBSERVED)) return;
  yield { domain: first.domain, observations: latest.toReversed() };
}
