import { lookup as resolveName } from 'node:dns/promises';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { BlockList, isIP } from 'node:net';
import type { OutboundRequest, OutboundResponse, Sender } from './sender.ts';

const maxUrlLength = 2_048;
const maxResponseBytes = 64 * 1024;
const maxHeaderBytes = 16 * 1024;

/**
 * Sends requests by Node's own client. Each request resolves the name again, checks every address, and opens a connection of its own to the
 * checked address. A redirect is a response like others. At most {@link maxResponseBytes} of a response are read.
 */
export function createHttpSender({ allowsLoopback }: { allowsLoopback: boolean }): Sender {
  const problemOf = (text: string): { url: URL } | { problem: string } => {
    if (text.length > maxUrlLength) return { problem: `must have at most ${maxUrlLength} characters` };
    const url = /[\s\p{Cc}]/u.test(text) ? null : URL.parse(text);
    if (!url) return { problem: 'must be a URL' };
    if (url.username !== '' || url.password !== '') return { problem: 'must have neither a user nor a password' };
    const isOwnMachine = allowsLoopback && isLoopbackName(url.hostname);
    if (url.protocol !== 'https:' && !(url.protocol === 'http:' && isOwnMachine)) return { problem: 'must be https' };
    return { url };
  };
  const addressOf = async (url: URL): Promise<string | SendFailure> => {
    const host = url.hostname.replace(/^\[|\]$/g, '');
    const isOwnMachine = allowsLoopback && isLoopbackName(url.hostname);
    const found = isIP(host) ? [{ address: host }] : await resolveName(host, { all: true }).catch(() => []);
    const [first] = found;
    if (!first) return new SendFailure('dns_failure');
    if (!isOwnMachine && found.some(({ address }) => isPrivate(address))) return new SendFailure('blocked_address');
    return first.address;
  };
  return {
    async send({ url: text, headers, body }, abort) {
      const parsed = problemOf(text);
      if ('problem' in parsed) return { error: { code: 'blocked_address' } };
      try {
        const address = await addressOf(parsed.url);
        if (address instanceof SendFailure) return { error: { code: address.code } };
        return { response: await post(parsed.url, address, { headers, body }, abort) };
      } catch (error) {
        return { error: { code: codeOf(error, abort) } };
      }
    },
    async urlProblemOf(text) {
      const parsed = problemOf(text);
      if ('problem' in parsed) return parsed.problem;
      const address = await addressOf(parsed.url);
      if (!(address instanceof SendFailure)) return undefined;
      return address.code === 'dns_failure'
        ? 'the host name has no address'
        : 'the host must have public addresses only';
    },
  };
}

class SendFailure {
  readonly code: string;

  constructor(code: string) {
    this.code = code;
  }
}

const isLoopbackName = (hostname: string): boolean => /^(localhost|127(\.\d+){3}|\[::1\])$/.test(hostname);

/** Addresses that are not public. */
const blocked = new BlockList();
for (const [network, bits] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 3],
  ['168.63.129.16', 32],
] as const) {
  blocked.addSubnet(network, bits, 'ipv4');
}
const globalUnicast = new BlockList();
globalUnicast.addSubnet('2000::', 3, 'ipv6');
for (const [network, bits] of [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
] as const) {
  blocked.addSubnet(network, bits, 'ipv6');
}

function isPrivate(address: string): boolean {
  if (isIP(address) === 4) return blocked.check(address, 'ipv4');
  return !globalUnicast.check(address, 'ipv6') || blocked.check(address, 'ipv6');
}

function post(
  url: URL,
  address: string,
  { headers, body }: Pick<OutboundRequest, 'headers' | 'body'>,
  abort: AbortSignal,
): Promise<OutboundResponse> {
  return new Promise((resolve, reject) => {
    const start = url.protocol === 'https:' ? httpsRequest : httpRequest;
    const request = start(
      url,
      {
        method: 'POST',
        agent: false,
        headers: { ...headers, 'content-length': Buffer.byteLength(body), 'accept-encoding': 'identity' },
        maxHeaderSize: maxHeaderBytes,
        minVersion: 'TLSv1.2',
        signal: abort,
        lookup: (_host, options, callback) => {
          const family = isIP(address);
          if (options.all) callback(null, [{ address, family }]);
          else callback(null, address, family);
        },
      },
      (response) =>
        readSome(response)
          .then(resolve, reject)
          .finally(() => request.destroy()),
    );
    request.on('error', reject);
    request.end(body);
  });
}

async function readSome(response: IncomingMessage): Promise<OutboundResponse> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    chunks.push(chunk);
    size += chunk.length;
    if (size >= maxResponseBytes) break;
  }
  const headers = Object.fromEntries(
    Object.entries(response.headers).map(([name, value]) => [
      name,
      Array.isArray(value) ? value.join(', ') : (value ?? ''),
    ]),
  );
  return { status: response.statusCode ?? 0, headers, body: Buffer.concat(chunks).subarray(0, maxResponseBytes) };
}

function codeOf(error: unknown, abort: AbortSignal): string {
  if (abort.aborted) return 'timeout';
  const code = String((error as NodeJS.ErrnoException).code ?? '');
  if (code === 'ECONNREFUSED') return 'connection_refused';
  if (code.startsWith('HPE_')) return 'invalid_response';
  if (/^(ERR_TLS|ERR_SSL|CERT_|UNABLE_TO|DEPTH_ZERO|SELF_SIGNED|EPROTO)/.test(code)) return 'tls_failure';
  return code === 'EHOSTUNREACH' || code === 'ENETUNREACH' ? 'egress_broken' : 'connection_reset';
}
