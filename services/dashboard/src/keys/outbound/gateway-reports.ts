import type { Clock } from '@shopscope/clock';
import { type GatewayAck, GatewayReport, KeyChange } from '@shopscope/proto';

/** A report older than this shows only that the gateway served at that time. */
const currentForMs = 30_000;
/** A gateway reports every 10 s until it stops. If it stops reporting, it may still serve without Kafka. It counts for this time. */
const countedForMs = 10 * 60_000;
const maxGateways = 1_000;
/** Pages show a revocation for 5 minutes. */
const keptForMs = 10 * 60_000;
const maxRevocations = 1_000;

export type GatewayReports = ReturnType<typeof createGatewayReports>;

/**
 * Reports of the gateways to this instance: which gateways serve, and which revocations each of them has applied.
 *
 * - The instance starts without reports. A gateway is unknown until its next report, for at most 10 s.
 * - A gateway that stops reporting still counts for 10 minutes, because it may serve cached keys.
 * - Late reports, after an outage of Kafka, do not make a gateway count as serving.
 * - Bounds: {@link maxGateways} gateways, and the acknowledgements of {@link maxRevocations} revocations for 10 minutes.
 */
export function createGatewayReports({ clock }: { clock: Clock }) {
  const heardAtMs = new Map<string, number>();
  const revocations = new Map<string, { heardAtMs: number; appliedAtMs: Map<string, number> }>();

  const heard = (instanceId: string, atMs: number) => {
    if (clock.now() - atMs > currentForMs) return;
    // The last entry of the map is the gateway with the latest report.
    heardAtMs.delete(instanceId);
    heardAtMs.set(instanceId, clock.monotonicMs());
    dropOldest(heardAtMs, maxGateways);
  };

  const applied = ({ instanceId, workspaceId, keyId, atMs }: GatewayAck) => {
    const id = revocationId(workspaceId, keyId);
    const known = revocations.get(id) ?? { heardAtMs: clock.monotonicMs(), appliedAtMs: new Map<string, number>() };
    // A gateway may acknowledge a revocation again. The first acknowledgement counts.
    if (!known.appliedAtMs.has(instanceId)) known.appliedAtMs.set(instanceId, atMs);
    dropOldest(known.appliedAtMs, maxGateways);
    revocations.set(id, known);
    for (const [other, { heardAtMs: since }] of revocations) {
      if (clock.monotonicMs() - since > keptForMs) revocations.delete(other);
    }
    dropOldest(revocations, maxRevocations);
  };

  return {
    receive(report: GatewayAck): void {
      if (report.report === GatewayReport.STOPPING) {
        heardAtMs.delete(report.instanceId);
        return;
      }
      heard(report.instanceId, report.atMs);
      const isRevocation = report.change === KeyChange.KEY_REVOKED;
      if (report.report === GatewayReport.KEY_CHANGE_APPLIED && isRevocation) applied(report);
    },

    /** Ids of the gateways that serve or may serve: they reported in the last 10 minutes and have not stopped. */
    mayServe(): string[] {
      const nowMs = clock.monotonicMs();
      return [...heardAtMs].filter(([, atMs]) => nowMs - atMs <= countedForMs).map(([id]) => id);
    },

    /** The time when each gateway applied the revocation, by the gateway's clock. */
    revocation: (workspaceId: string, keyId: string): ReadonlyMap<string, number> =>
      revocations.get(revocationId(workspaceId, keyId))?.appliedAtMs ?? new Map(),
  };
}

const revocationId = (workspaceId: string, keyId: string) => `${workspaceId}/${keyId}`;

function dropOldest(map: Map<string, unknown>, max: number): void {
  for (const id of map.keys()) {
    if (map.size <= max) return;
    map.delete(id);
  }
}
