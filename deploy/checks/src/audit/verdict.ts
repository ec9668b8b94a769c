/** What `npm audit --json` prints: findings by package, or why it could not be asked. */
export interface AuditOutput {
  vulnerabilities?: Record<string, { severity: string; range: string }>;
  metadata?: { vulnerabilities: Record<string, number> };
  statusCode?: number;
  error?: { code?: string };
}

/** `findings` of the severities that count; `unasked` says why nobody could tell, which is never the same as none. */
export type AuditVerdict = { findings: string[] } | { unasked: string };

const counting = new Set(['high', 'critical']);

export function verdictOf(output: AuditOutput | undefined): AuditVerdict {
  if (!output?.metadata || !output.vulnerabilities) {
    const answer = output?.statusCode ?? output?.error?.code;
    return { unasked: answer ? `the registry answered ${answer}` : 'npm told nothing' };
  }
  const findings = Object.entries(output.vulnerabilities)
    .filter(([, { severity }]) => counting.has(severity))
    .map(([name, { severity, range }]) => `${name} ${range}: ${severity}`);
  return { findings };
}
