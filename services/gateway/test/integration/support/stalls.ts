/**
 * How long this process stood still, in ms: a busy machine's delays, which no bound of a gateway in it can be blamed for.
 */
export function measureStalls() {
  const everyMs = 20;
  let totalMs = 0;
  let lastMs = performance.now();
  const timer = setInterval(() => {
    const nowMs = performance.now();
    totalMs += Math.max(0, nowMs - lastMs - everyMs);
    lastMs = nowMs;
  }, everyMs);
  timer.unref();
  return () => totalMs + Math.max(0, performance.now() - lastMs - everyMs);
}
