/** Resolves to the text of an instance's metrics. It is empty if the instance does not respond within 2 s. */
export const metricsOf = (adminUrl: string): Promise<string> =>
  fetch(`${adminUrl}/metrics`, { signal: AbortSignal.timeout(2_000) }).then(
    (response) => response.text(),
    () => '',
  );

/** Returns the sum of the series of a counter that have the label, for example `topic="usage.v1"`. It is 0 if there is no such series. */
export function counterSum(metrics: string, name: string, label: string): number {
  return [...metrics.matchAll(/^(\w+)\{([^}]*)\} (\d+)/gm)]
    .filter(([, found, labels]) => found === name && labels?.split(',').includes(label))
    .reduce((sum, [, , , count]) => sum + Number(count), 0);
}
