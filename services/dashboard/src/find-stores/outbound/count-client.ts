import { createDeadline } from '@shopscope/async';
import { AppError } from '@shopscope/errors';
import { callForBatch, type GrpcClient } from '@shopscope/grpc';
import type { CountStoresRequest, CountStoresResponse, SearchServiceService } from '@shopscope/proto';
import type { Origin } from '@shopscope/telemetry';

/** The first count of everything in an edition takes some seconds. */
const timeoutMs = 8_000;

/** Counts for people, who wait longer than public pages. No answer in time, or any failure -> `unavailable`. */
export const createCountClient = (client: Pick<GrpcClient<typeof SearchServiceService>, 'countStores'>) => ({
  async countStores(request: CountStoresRequest, origin: Origin): Promise<CountStoresResponse> {
    try {
      const deadline = createDeadline(timeoutMs);
      return await callForBatch((options) => client.countStores(request, options), { origin, deadline });
    } catch (cause) {
      throw new AppError('unavailable', 'Stores cannot be counted at the moment. Try again in a few seconds.', {
        cause,
      });
    }
  },
});
