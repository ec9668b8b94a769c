/** The members of schemathesis' report that this check uses. */
export interface Report {
  complete: boolean;
  exit_code: number;
  /** Null when the document could not be read. */
  operations: { selected: number; tested: number } | null;
  test_cases: { generated: number; unique_failures: number; errored: number };
  failures: { title: string; operations: string[] }[];
  /** Operation → phase → number of accepted well-formed requests. */
  valid_rates: Record<string, Record<string, { accepted: number }>>;
  filtered: number;
  /** Responses of served operations. All other operations have one common handler. */
  served_cases: number;
}

export interface Expected {
  minCases: number;
  minServedCases: number;
  /** Operations that must have succeeded. */
  served: readonly string[];
}

/**
 * All problems of a run, failures first. An incomplete run, too few cases, an untested operation and a served operation
 * that never succeeded are problems too, because such a run proves nothing.
 */
export function problemsOf(report: Report | undefined, expected: Expected): string[] {
  if (!report) return ['schemathesis wrote no report'];
  const { operations, test_cases: cases } = report;
  const problems = report.failures.map(({ title, operations: where }) => `${title}: ${where.join(', ')}`);
  if (cases.errored > 0) problems.push(`${cases.errored} cases could not be sent`);
  if (!report.complete) problems.push('the run was not complete');
  if (cases.generated < expected.minCases) problems.push(`${cases.generated} cases, fewer than ${expected.minCases}`);
  if (report.served_cases < expected.minServedCases) {
    problems.push(`${report.served_cases} cases of served operations, fewer than ${expected.minServedCases}`);
  }
  if (!operations) problems.push('openapi.json could not be read');
  else if (operations.tested < operations.selected) {
    problems.push(`${operations.selected - operations.tested} operations not tested`);
  }
  for (const operation of expected.served.filter((name) => !wasAccepted(report, name))) {
    problems.push(`no well-formed request to ${operation} was accepted`);
  }
  if (problems.length === 0 && report.exit_code !== 0) problems.push(`schemathesis ended with ${report.exit_code}`);
  return problems;
}

const wasAccepted = (report: Report, operation: string) =>
  Object.values(report.valid_rates[operation] ?? {}).some(({ accepted }) => accepted > 0);
