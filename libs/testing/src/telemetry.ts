import { createLogger, createRegistry, type Logger, type Registry } from '@shopscope/telemetry';

export interface TestTelemetry {
  logger: Logger;
  registry: Registry;
}

/** A logger that writes nothing and a registry of its own. */
export function silentTelemetry(service = 'test'): TestTelemetry {
  return {
    logger: createLogger({ ...of(service), level: 'silent', destination: nowhere }),
    registry: registry(service),
  };
}

/** A logger whose lines are in `lines` as objects, and a registry of its own. The level is `info` unless given. */
export function recordingTelemetry(
  service = 'test',
  { level = 'info' } = {},
): TestTelemetry & { lines: Record<string, unknown>[] } {
  const lines: Record<string, unknown>[] = [];
  const destination = { write: (line: string) => void lines.push(JSON.parse(line)) };
  return { logger: createLogger({ ...of(service), level, destination }), registry: registry(service), lines };
}

const of = (service: string) => ({ service, instance: 'test' });
const registry = (service: string) => createRegistry({ service });
/** Without it each logger would open standard output. */
const nowhere = { write() {} };
