import { once } from 'node:events';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';

export type ApiProxy = Awaited<ReturnType<typeof startProxy>>;

/** Forwards to the API. It can hold one response back: the service has then billed what its caller has not received. */
export async function startProxy(apiUrl: string) {
  let enrichments = 0;
  let held: { at: number; arrived(): void } | undefined;
  const server = createServer((incoming, outgoing) => {
    const { method, url, headers } = incoming;
    const isEnrichment = method === 'POST' && url === '/v1/stores/enrich';
    const onward = request(apiUrl + url, { method, headers }, (answer) => {
      if (isEnrichment) enrichments += 1;
      if (isEnrichment && held?.at === enrichments) {
        answer.resume().once('end', held.arrived);
        return;
      }
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(outgoing);
    });
    onward.on('error', () => outgoing.destroy());
    outgoing.on('error', () => onward.destroy());
    incoming.pipe(onward);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    /** Holds back the response of the nth enrichment from now on. Resolves when the service has sent it. */
    holdEnrichment(nth: number): Promise<void> {
      return new Promise((arrived) => {
        held = { at: enrichments + nth, arrived };
      });
    },
    async stop() {
      server.close();
      server.closeAllConnections();
    },
  };
}
