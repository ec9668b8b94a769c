/** What this check reads of schemathesis' report; it has more. */
export interface Report {
  complete: boolean;
  exit_code: number;
  /** Null when not even the document could be read. */
  operations: { selected: number; tested: number } | null;
  test_cases: { generated: number; unique_failures: number; errored: number };
  failures: { title: string; operations: string[] }[];
  /** Operation → phase → how its well-formed requests were taken. */
  valid_rates: Record<string, Record<string, { accepted: number }>>;
  /** Complaints that hooks.py answers. */
  filtered: number;
  /** Answers of operations that are served, of all cases; the others all meet one handler. */
  served_cases: number;
}

export interface Expected {
  casesMin: number;
  servedCasesMin: number;
  /** Operations that must have succeeded. */
  served: readonly string[];
}

/**
 * Everything that is wrong with a run, its failures first. A run that was cut short, asked too little, left an operation
 * out or never saw a served operation succeed is a fault as well: it would have found nothing.
 */
export function faultsOf(report: Report | undefined, expected: Expected): string[] {
  if (!report) return ['schemathesis wrote no report'];
  const { operations, test_cases: cases } = report;
  const faults = report.failures.map(({ title, operations: where }) => `${title}: ${where.join(', ')}`);
  if (cases.errored > 0) faults.push(`${cases.errored} cases could not be asked`);
  if (!report.complete) faults.push('the run was cut short');
  if (cases.generated < expected.casesMin) faults.push(`${cases.generated} cases, fewer than ${expected.casesMin}`);
  if (report.served_cases < expected.servedCasesMin) {
    faults.push(`${report.served_cases} cases of served operations, fewer than ${expected.servedCasesMin}`);
  }
  if (!operations) faults.push('openapi.json could not be read');
  else if (operations.tested < operations.selected) {
    faults.push(`${operations.selected - operations.tested} operations not asked`);
  }
  for (const operation of expected.served.filter((name) => !wasAccepted(report, name))) {
    faults.push(`no well-formed request to ${operation} was accepted`);
  }
  if (faults.length === 0 && report.exit_code !== 0) faults.push(`schemathesis ended with ${report.exit_code}`);
  return faults;
}

const wasAccepted = (report: Report, operation: string) =>
  Object.values(report.valid_rates[operation] ?? {}).some(({ accepted }) => accepted > 0);
