import type { Handlers } from '@shopscope/grpc';
import type { ProfilesServiceService } from '@shopscope/proto';
import type { Dependencies } from '../../operations/dependencies.ts';
import { listDomains } from '../../operations/list-domains.ts';

export const listDomainsHandler =
  (deps: Dependencies): Handlers<typeof ProfilesServiceService>['listDomains'] =>
  async (request, context) => {
    const { domains, hasMore } = await listDomains(deps, request, context.deadline.timeoutMs());
    const listed = domains.map(({ domain, lastCompletedScanAt }) => ({
      domain,
      lastCompletedScanAtMs: lastCompletedScanAt.getTime(),
    }));
    return { domains: listed, hasMore };
  };
