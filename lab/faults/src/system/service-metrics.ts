/** The text of an instance's metrics. Empty when the instance does not respond within 2 s. */
export const metricsOf = (adminUrl: string): Promise<string> =>
  fetch(`${adminUrl}/metrics`, { signal: AbortSignal.timeout(2_000) }).then(
    (response) => response.text(),
    () => '',
  );

/** Sum of a counter over its series that have the label, such as `topic="usage.v1"`. 0 without such a series. */
export function counterSum(metrics: string, name: string, label: string): number {
  return [...metrics.matchAll(/^(\w+)\{([^}]*)\} (\d+)/gm)]
    .filter(([, found, labels]) => found === name && labels?.split(',').includes(label))
    .reduce((sum, [, , , count]) => sum + Number(count), 0);
}
