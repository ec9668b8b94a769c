/** Runs steps one after another. A step fails -> `onError` gets its name and its error, and the next step runs. */
export async function runEach(
  steps: Readonly<Record<string, () => Promise<unknown>>>,
  onError: (step: string, error: unknown) => void,
): Promise<void> {
  for (const [step, run] of Object.entries(steps)) {
    try {
      await run();
    } catch (error) {
      onError(step, error);
    }
  }
}
