import { type PeriodicLoop, startPeriodicLoop } from '@shopscope/async';
import type { Clock } from '@shopscope/clock';
import { GatewayAck, GatewayReport, type KeyChanged } from '@shopscope/proto';

/**
 * Reports that this gateway serves, which key changes it has applied, and that it stops. The reports show a person who revokes a
 * key which gateways refuse it.
 *
 * - Serving: reported at once and every 10 s, until the last request has ended.
 * - Key changes: each change that names a key or a workspace is reported once, after the cached results are invalidated. A change
 *   that is older than {@link maxAgeMs} is not acknowledged, because nobody waits for it.
 * - Concurrency: one request to Kafka runs at a time. Acknowledgements that arrive meanwhile are sent with the next one.
 *
 * Failures:
 * - Kafka is unavailable -> acknowledgements of key changes wait for the next report that the gateway serves.
 * - The acknowledgement of Kafka is lost -> the same report is sent again, with the same content.
 * - The process is killed -> its last reports are missing, and no report shows that it stops.
 *
 * Bounds: `maxWaiting` reports; the oldest are dropped. {@link publishTimeoutMs} per request to Kafka.
 */
export type Acknowledgements = ReturnType<typeof createAcknowledgements>;

export interface AcknowledgementsOptions {
  /** Resolves when the reports are durable. */
  publish(reports: readonly GatewayAck[], timeoutMs: number): Promise<void>;
  instanceId: string;
  clock: Clock;
  onReports(outcome: 'sent' | 'failed' | 'dropped', reports: number): void;
  onError(error: unknown): void;
  maxWaiting?: number;
}

const intervalMs = 10_000;
const publishTimeoutMs = 1_000;
const maxAgeMs = 300_000;

export function createAcknowledgements(options: AcknowledgementsOptions) {
  const { publish, instanceId, clock, onReports, onError, maxWaiting = 1_000 } = options;
  const waiting: GatewayAck[] = [];
  let isSending = false;
  let sent = Promise.resolve();
  let loop: PeriodicLoop | undefined;

  const isRecent = ({ changedAtMs }: Pick<GatewayAck, 'changedAtMs'>) => clock.now() - changedAtMs <= maxAgeMs;

  const dropOldest = () => {
    const excess = waiting.length - maxWaiting;
    if (excess <= 0) return;
    waiting.splice(0, excess);
    onReports('dropped', excess);
  };

  /** `isSending` becomes false in the same event-loop turn in which nothing waits any more. No report therefore stays behind. */
  const send = async () => {
    isSending = true;
    while (waiting.length > 0) {
      const batch = waiting.splice(0);
      try {
        await publish(batch, publishTimeoutMs);
        onReports('sent', batch.length);
      } catch {
        // The producer logs the cause. A later report that the gateway serves replaces an earlier one.
        onReports('failed', batch.length);
        const isNeeded = (ack: GatewayAck) => ack.report === GatewayReport.KEY_CHANGE_APPLIED && isRecent(ack);
        waiting.unshift(...batch.filter(isNeeded));
        dropOldest();
        break;
      }
    }
    isSending = false;
  };
  const submit = (report: Partial<GatewayAck>): Promise<void> => {
    waiting.push(GatewayAck.fromPartial({ ...report, instanceId, atMs: clock.now() }));
    dropOldest();
    if (!isSending) sent = send();
    return sent;
  };

  return {
    /** Call it after the change was applied. It does not throw and does not wait. */
    acknowledge({ change, workspaceId, keyId, atMs: changedAtMs }: KeyChanged): void {
      if ((!keyId && !workspaceId) || !isRecent({ changedAtMs })) return;
      const applied = { report: GatewayReport.KEY_CHANGE_APPLIED, change, workspaceId, keyId, changedAtMs };
      submit(applied).catch(onError);
    },
    /** Call it when the gateway serves requests. */
    startServing(): void {
      const run = () => submit({ report: GatewayReport.SERVING });
      loop = startPeriodicLoop({ intervalMs, immediate: true, clock, run, onError });
    },
    /** Call it when the gateway has served its last request. Resolves within two time limits of requests to Kafka. */
    async stop(): Promise<void> {
      if (!loop) return;
      await loop.stop();
      // If the running request fails, the report that the gateway stops would stay behind.
      await sent;
      await submit({ report: GatewayReport.STOPPING });
    },
  };
}
