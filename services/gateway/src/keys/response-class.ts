/** The class of a finished response in reports of key activity. `limited` is a part of the client's errors. */
export type ResponseClass = 'succeeded' | 'client_error' | 'limited' | 'server_error';

/** `status` is the status in the log line: 499 if the caller disconnected, 0 if the response was withheld. */
export function responseClassOf(status: number, code: string | undefined): ResponseClass {
  if (status === 402 || status === 429 || (status === 503 && code === 'concurrency_limited')) return 'limited';
  if (status === 0 || status >= 500) return 'server_error';
  return status >= 400 ? 'client_error' : 'succeeded';
}
