import { type PeriodicLoop, startPeriodicLoop } from '@shopscope/async';
import { minuteMs } from '@shopscope/clock';
import type { Logger } from '@shopscope/telemetry';
import { announceExpiringKeys } from '../../operations/announce-expiring-keys.ts';
import type { Dependencies } from '../../operations/dependencies.ts';

/** Announces expiring keys each minute. Any number of instances may do it at the same time. */
export const startKeyExpiryTimer = (deps: Dependencies, logger: Logger): PeriodicLoop =>
  startPeriodicLoop({
    intervalMs: minuteMs,
    immediate: true,
    async run(abort) {
      const keys = await announceExpiringKeys(deps, abort);
      if (keys > 0) logger.info({ keys }, 'keys are about to expire');
    },
    onError: (error) => logger.error({ err: error }, 'expiring keys were not announced; the next minute tries again'),
    clock: deps.clock,
  });
