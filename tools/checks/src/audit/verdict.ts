/** What `npm audit --json` prints: findings by package, or why it could not be asked. */
export interface AuditOutput {
  vulnerabilities?: Record<string, { severity: string; range: string }>;
  metadata?: { vulnerabilities: Record<string, number> };
  /** What went wrong; of a network's error npm tells nothing else. */
  message?: string;
  /** Of the registry, where it refused. */
  statusCode?: number;
  error?: { code?: string; summary?: string };
}

/**
 * `findings` of the severities that count; `unasked` says why nobody could tell, which is never the same as none; `failed`
 * is anything else that npm did instead of asking, and is to be mended here.
 */
export type AuditVerdict = { findings: string[] } | { unasked: string } | { failed: string };

const counting = new Set(['high', 'critical']);
/** A registry that has no advisories answers so; mirrors are often such. */
const lackingStatuses = new Set([404, 405, 501]);
const networkCodes = [
  'ENOTFOUND',
  'EAI_AGAIN',
  'ECONNREFUSED',
  'ECONNRESET',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
];
/** An empty reason is Node's when none of a host's addresses could be reached. */
const unreached = new RegExp(
  `^network timeout at: |^request to \\S+ failed, reason: (.*\\b(${networkCodes.join('|')})\\b.*|socket hang up)?$`,
);

/** Judges what npm printed; undefined when that was no JSON, or when there is no npm. */
export function verdictOf(output: AuditOutput | null | undefined): AuditVerdict {
  if (!output?.metadata || !output.vulnerabilities) return withoutAnswer(output ?? {});
  const findings = Object.entries(output.vulnerabilities)
    .filter(([, { severity }]) => counting.has(severity))
    .map(([name, { severity, range }]) => `${name} ${range}: ${severity}`);
  return { findings };
}

function withoutAnswer({ statusCode, error, message }: AuditOutput): AuditVerdict {
  if (statusCode !== undefined) {
    const answer = `the registry answered ${statusCode}`;
    return lackingStatuses.has(statusCode) ? { unasked: answer } : { failed: answer };
  }
  if (networkCodes.includes(error?.code ?? '')) return { unasked: `the registry was not reached: ${error?.code}` };
  if (message !== undefined && unreached.test(message)) return { unasked: message };
  return { failed: message || [error?.code, error?.summary].filter(Boolean).join(': ') || 'npm told nothing' };
}
