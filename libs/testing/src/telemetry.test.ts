import { metricsOf } from '@shopscope/telemetry';
import { describe, expect, it } from 'vitest';
import { recordingTelemetry, silentTelemetry } from './telemetry.ts';

describe('telemetry of tests', () => {
  it('silent telemetry of tests takes metrics and has a registry of its own each time', async () => {
    const [one, other] = [silentTelemetry(), silentTelemetry()];
    one.logger.error('not written');
    metricsOf(one.registry).counter('calls_total', 'Calls').inc();
    expect(await one.registry.metrics()).toContain('calls_total{service="test"} 1');
    expect(await other.registry.metrics()).not.toContain('calls_total');
  });

  it('recording telemetry of tests has the lines from its level up, as objects', () => {
    const { logger, lines } = recordingTelemetry('keys');
    logger.debug('too low');
    logger.info({ keyId: 'key_1' }, 'created');
    expect(lines).toMatchObject([{ level: 'info', service: 'keys', keyId: 'key_1', msg: 'created' }]);
  });

  it('recording telemetry of tests has lower lines when asked', () => {
    const { logger, lines } = recordingTelemetry('keys', { level: 'debug' });
    logger.debug('low');
    expect(lines).toHaveLength(1);
  });
});
