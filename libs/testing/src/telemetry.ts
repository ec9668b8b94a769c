import { createLogger, createRegistry, type Logger, type Registry } from '@shopscope/telemetry';

export interface TestTelemetry {
  logger: Logger;
  registry: Registry;
}

/** Returns a logger that writes nothing and a separate registry. */
export function silentTelemetry(service = 'test'): TestTelemetry {
  return {
    logger: createLogger({ ...of(service), level: 'silent', destination: nowhere }),
    registry: registry(service),
  };
}

/** Returns a logger that writes its lines to `lines` as objects, and a separate registry. The default level is `info`. */
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
/** A destination that writes nothing. Without it, each logger would open standard output. */
const nowhere = { write() {} };
