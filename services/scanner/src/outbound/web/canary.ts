import { type ConnectOptions, createRouter, noTestHosts, type RouterOptions } from '@shopscope/outbound-http';

/** Resolves a name and opens a connection to its port 443, without sending a byte. Rejects if the name cannot be reached. */
export type CanaryProbe = (name: string, abort: AbortSignal) => Promise<void>;

/** The probe takes the path of a visit: the same name servers, the same policy for addresses, the same network. */
export function createCanaryProbe(
  options: Pick<RouterOptions, 'policy' | 'resolver'> & Pick<ConnectOptions, 'dial'>,
): CanaryProbe {
  return async (name, abort) => {
    const route = createRouter({ ...options, testHosts: noTestHosts, literals: 'refused', onRefused: () => {} });
    const { addresses, port } = await route(new URL(`https://${name}/`), abort);
    const dialled = addresses.map(async (address) => {
      const socket = await options.dial(address, port, abort);
      socket.destroy();
    });
    await Promise.any(dialled);
  };
}
