import type { KeyedSlots } from '@shopscope/async';
import { invalidField } from '@shopscope/errors';
import type { Handlers } from '@shopscope/grpc';
import { tenantOf } from '@shopscope/grpc';
import type { ZeroCopyProfilesService } from '@shopscope/proto';
import { exportObservations } from '../../operations/export-observations.ts';
import { getTechnology } from '../../operations/get-technology.ts';
import { importObservations } from '../../operations/import-observations.ts';
import { listDomains } from '../../operations/list-domains.ts';
import { listTechnologies } from '../../operations/list-technologies.ts';
import { resolveValues } from '../../operations/resolve-values.ts';
import { resetTestStores } from '../../operations/test-stores/reset-test-stores.ts';
import { inTurn } from './in-turn.ts';
import { type EveryEnvironment, readHandlers } from './read-handlers.ts';

/**
 * Returns the handlers of all RPCs. Each decodes the request, calls one operation, and encodes the response. `slots` bound the
 * transactions of imports and of the consumer together, and `testSlots` the work of the test tenant. The vocabulary and the counts are
 * those of live stores in both environments.
 */
export function profilesHandlers(
  every: EveryEnvironment,
  slots: Pick<KeyedSlots, 'run'>,
  testSlots: Pick<KeyedSlots, 'take'>,
): Handlers<typeof ZeroCopyProfilesService> {
  const { live, test } = every;
  return {
    ...readHandlers(every, testSlots),

    async listTechnologies(request) {
      return listTechnologies(live, request);
    },

    async getTechnology({ slug }) {
      return { technology: getTechnology(live, slug) };
    },

    async resolveValues(values) {
      return resolveValues(live, values);
    },

    async getCorpus() {
      const count = live.corpusCount();
      return {
        stores: count?.stores ?? 0,
        profiles: count?.profiles ?? 0,
        technologies: live.technologies.size,
        countedAtMs: count?.countedAt.getTime() ?? 0,
      };
    },

    async listDomainPages() {
      const count = live.corpusCount();
      const pages = (count?.pages ?? []).map(({ after, through, domains, lastCompletedScanAt }) => ({
        afterDomain: after,
        throughDomain: through,
        domains,
        lastCompletedScanAtMs: lastCompletedScanAt?.getTime() ?? 0,
      }));
      return { pages, countedAtMs: count?.countedAt.getTime() ?? 0 };
    },

    async listDomains(request, { deadline }) {
      const { domains, hasMore } = await listDomains(live, request, deadline.timeoutMs());
      const listed = domains.map(({ domain, lastCompletedScanAt }) => ({
        domain,
        lastCompletedScanAtMs: lastCompletedScanAt.getTime(),
      }));
      return { domains: listed, hasMore };
    },

    importObservations: ({ observations, environment }, { origin }) =>
      slots.run('merge', () => importObservations(live, observations, environment, origin)),
    exportObservations: (request, { deadline }) => exportObservations(live, request, deadline.timeoutMs()),

    async resetTestStores(request, context) {
      const { workspaceId, environment } = tenantOf(request, context);
      if (environment !== 'test') throw invalidField('environment', 'must be test');
      await inTurn(testSlots, workspaceId, context.deadline, () => resetTestStores(test, workspaceId));
      return {};
    },
  };
}
