import { invalidField } from '@shopscope/errors';
import type { Handlers } from '@shopscope/grpc';
import type { MeteringServiceService } from '@shopscope/proto';
import type { Dependencies, Queues } from '../../operations/dependencies.ts';
import { reserveItems } from '../../operations/reserve-items.ts';
import { reserveItem } from '../decode.ts';
import { encodeReserved } from './encode.ts';

const maxBatchSize = 1_000;

export const reserveHandler =
  (deps: Dependencies, queues: Queues): Handlers<typeof MeteringServiceService>['reserve'] =>
  async ({ items }, context) => {
    if (items.length > maxBatchSize) throw invalidField('items', `at most ${maxBatchSize}`);
    const results = await reserveItems(deps, queues, items.map(reserveItem), context);
    return { results: results.map(encodeReserved) };
  };
