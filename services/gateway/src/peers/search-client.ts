import { AppError, invalidField } from '@shopscope/errors';
import { type CallOptions, callForBatch, type GrpcClient, toInternal } from '@shopscope/grpc';
import type * as proto from '@shopscope/proto';
import { decodeCount, type RawCount } from '@shopscope/store-search';
import type { OfRequest } from './for-caller.ts';

type Service = Pick<GrpcClient<typeof proto.SearchServiceService>, 'findStores' | 'countStores'>;

export type SearchClient = ReturnType<typeof createSearchClient>;

export interface FoundPage {
  edition: proto.Edition;
  rows: proto.StoreRow[];
  /** Where the next page begins. Undefined on the last page. */
  next: string | undefined;
}

export interface CountedStores {
  edition: proto.Edition;
  count: RawCount;
  sampleDomains: string[];
}

/** A search may use this part of the time of a request. */
const timeoutMs = 8_000;
const retryAfterSeconds = 5;

/**
 * The calls of search.
 *
 * - search, its engine or the first edition is not there, or does not respond in time -> `unavailable`.
 * - Earlier searches of the workspace take too long -> `concurrency_limited`.
 * - The edition of a cursor has ended -> `invalid_request` that names `cursor`. Other refusals have the text for the caller.
 */
export function createSearchClient(client: Service) {
  async function call<Response>(run: (options: CallOptions) => Promise<Response>, { origin, deadline }: OfRequest) {
    deadline.timeoutMs();
    try {
      return await callForBatch(run, { origin, deadline: deadline.capped(timeoutMs) });
    } catch (error) {
      throw forCaller(AppError.from(error));
    }
  }

  return {
    async findStores(request: proto.FindStoresRequest, of: OfRequest): Promise<FoundPage> {
      const { edition, rows, next } = await call((options) => client.findStores(request, options), of);
      return { edition: present(edition), rows, next: next === '' ? undefined : next };
    },
    async countStores(request: proto.CountStoresRequest, of: OfRequest): Promise<CountedStores> {
      const counted = await call((options) => client.countStores(request, options), of);
      return {
        edition: present(counted.edition),
        count: decodeCount(counted),
        sampleDomains: counted.sampleDomains,
      };
    },
  };
}

function present(edition: proto.Edition | undefined): proto.Edition {
  if (edition) return edition;
  throw toInternal(new Error('search names no edition'));
}

const deadlineExceeded = 4;

function forCaller(error: AppError): AppError {
  if (error.code === 'invalid_request') {
    if (error.details.field !== 'edition_id') return error;
    return invalidField(
      'cursor',
      'must be of an edition that exists; this one has ended, so begin again without a cursor',
    );
  }
  if (error.code === 'concurrency_limited') return error;
  const isLate = (error.cause as { code?: unknown } | undefined)?.code === deadlineExceeded;
  if (error.code !== 'unavailable' && !isLate) return toInternal(error);
  return new AppError('unavailable', 'Searches are not available at the moment; retry shortly.', {
    cause: error,
    details: { retry_after: error.details.retry_after ?? retryAfterSeconds },
  });
}
