/** The output of `npm audit --json`: findings by package, or an error. */
export interface AuditOutput {
  vulnerabilities?: Record<string, { severity: string; range: string }>;
  metadata?: { vulnerabilities: Record<string, number> };
  /** The error. It is the only member for network errors. */
  message?: string;
  /** HTTP status of the registry, if it refused. */
  statusCode?: number;
  error?: { code?: string; summary?: string };
}

/**
 * - `findings`: advisories of the checked severities.
 * - `unavailable`: why the registry could not be checked. It is not the same as no findings.
 * - `failed`: any other failure of npm, which needs a correction.
 */
export type AuditVerdict = { findings: string[] } | { unavailable: string } | { failed: string };

const checkedSeverities = new Set(['high', 'critical']);
/** Statuses of registries without advisories, for example mirrors. */
const statusesWithoutEndpoint = new Set([404, 405, 501]);
const networkCodes = 'ENOTFOUND EAI_AGAIN ECONNREFUSED ECONNRESET ETIMEDOUT EHOSTUNREACH ENETUNREACH'.split(' ');
/** Node gives an empty reason when no address of a host was reachable. */
const unreachable = new RegExp(
  `^network timeout at: |^request to \\S+ failed, reason: (.*\\b(${networkCodes.join('|')})\\b.*|socket hang up)?$`,
);

/** The verdict on the output of npm; `output` is undefined without JSON or without npm. */
export function verdictOf(output: AuditOutput | null | undefined): AuditVerdict {
  if (!output?.metadata || !output.vulnerabilities) return verdictOnError(output ?? {});
  const findings = Object.entries(output.vulnerabilities)
    .filter(([, { severity }]) => checkedSeverities.has(severity))
    .map(([name, { severity, range }]) => `${name} ${range}: ${severity}`);
  return { findings };
}

function verdictOnError({ statusCode, error, message }: AuditOutput): AuditVerdict {
  if (statusCode !== undefined) {
    const reason = `the registry responded with ${statusCode}`;
    return statusesWithoutEndpoint.has(statusCode) ? { unavailable: reason } : { failed: reason };
  }
  if (networkCodes.includes(error?.code ?? '')) return { unavailable: `the registry was not reached: ${error?.code}` };
  if (message !== undefined && unreachable.test(message)) return { unavailable: message };
  return { failed: message || [error?.code, error?.summary].filter(Boolean).join(': ') || 'npm reported no reason' };
}
