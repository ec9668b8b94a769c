import { setFlagsFromString } from 'node:v8';

/**
 * Lets the old generation of V8's heap triple between two major collections. `runService` calls it for every service.
 *
 * - By default, V8 chooses the growth by the rate of allocation. The heap of a service that allocates slowly may grow by little more than
 *   its young generation. A few large bodies fill that within a second. Each major collection then marks the whole heap, with
 *   threads that take the processor from the requests.
 * - Bound: the largest heap is still `--max-old-space-size`, and near it V8 allows less growth.
 */
export const allowHeapGrowth = (): void => setFlagsFromString('--heap-growing-percent=200');
