import type { Handlers } from '@shopscope/grpc';
import type { ProfilesServiceService } from '@shopscope/proto';
import type { Dependencies } from '../../operations/dependencies.ts';

export const listDomainPagesHandler =
  (deps: Dependencies): Handlers<typeof ProfilesServiceService>['listDomainPages'] =>
  async () => {
    const count = deps.corpusCount();
    const pages = (count?.pages ?? []).map(({ after, through, domains, lastCompletedScanAt }) => ({
      afterDomain: after,
      throughDomain: through,
      domains,
      lastCompletedScanAtMs: lastCompletedScanAt?.getTime() ?? 0,
    }));
    return { pages, countedAtMs: count?.countedAt.getTime() ?? 0 };
  };
