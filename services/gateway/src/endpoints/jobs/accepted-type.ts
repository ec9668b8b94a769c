export const linesType = 'application/x-ndjson';

/** Whether a client asks for lines and does not prefer JSON (RFC 9110, section 12.5.1). A range such as `*` asks for JSON. */
export function prefersLines(header: string | undefined): boolean {
  const weights = new Map<string, number>();
  for (const entry of (header ?? '').toLowerCase().split(',')) {
    const [type = '', ...parameters] = entry.split(';').map((text) => text.trim());
    const weight = parameters.find((text) => text.startsWith('q='));
    weights.set(type, weight === undefined ? 1 : Number(weight.slice(2)));
  }
  const lines = weights.get(linesType) ?? 0;
  return lines > 0 && lines >= (weights.get('application/json') ?? 0);
}
