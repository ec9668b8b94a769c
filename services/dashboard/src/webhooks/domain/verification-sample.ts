import { createHmac } from 'node:crypto';

/** It has the form of a secret, so that the samples run as they are. No webhook has it. */
const sampleKey = Buffer.from('a sample and no real secret');
export const sampleSecret = `whsec_${sampleKey.toString('base64')}`;
const sampleSequence = 1_042;

/** A message that a webhook could get, signed with {@link sampleSecret}, and programs that accept it. */
export function verificationSample({
  url,
  type,
  data,
  nowMs,
}: {
  url: string;
  type: string;
  data: unknown;
  nowMs: number;
}) {
  const id = 'evt_01kandxv3w9p4nsbq7g8e2hm5t';
  const seconds = Math.floor(nowMs / 1_000);
  const timestamp = new Date(seconds * 1_000).toISOString();
  const body = JSON.stringify({ type, timestamp, data, sequence: sampleSequence, environment: 'live' });
  const signature = createHmac('sha256', sampleKey).update(`${id}.${seconds}.${body}`).digest('base64');
  const headers = { 'webhook-id': id, 'webhook-timestamp': String(seconds), 'webhook-signature': `v1,${signature}` };
  return {
    headers,
    body,
    codes: {
      sh: curlOf(url, headers, body),
      ts: typescriptOf(headers, body, seconds),
      python: pythonOf(headers, body, seconds),
    },
  };
}

type Headers = Readonly<Record<string, string>>;

const word = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

const curlOf = (url: string, headers: Headers, body: string): string =>
  [
    `curl ${word(url)}`,
    ...Object.entries({ 'content-type': 'application/json', ...headers }).map(
      ([name, value]) => `-H ${word(`${name}: ${value}`)}`,
    ),
    `--data-raw ${word(body)}`,
  ].join(' \\\n  ');

const script = (text: string): string => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;

const typescriptOf = (
  headers: Headers,
  body: string,
  seconds: number,
): string => `import { verifyWebhook } from '@shopscope/client';

// A receiver takes them from the request. The body is the raw text, before any parser.
const headers = {
${Object.entries(headers)
  .map(([name, value]) => `  '${name}': ${script(value)},`)
  .join('\n')}
};
const body =
  ${script(body)};

// The secret of the sample. During a rotation, pass both: [newSecret, oldSecret].
const secret = '${sampleSecret}';
// The time of the sample. A receiver leaves it out, and messages older than 5 minutes are refused.
const nowMs = () => ${seconds}_000;

const event = await verifyWebhook(headers, body, secret, { nowMs });
console.log(event.id, event.type);
`;

const pythonOf = (headers: Headers, body: string, seconds: number): string => `from shopscope import verify_webhook

# A receiver takes them from the request. The body is the raw text, before any parser.
headers = {
${Object.entries(headers)
  .map(([name, value]) => `    "${name}": "${value}",`)
  .join('\n')}
}
body = ${script(body)}

# The secret of the sample. During a rotation, pass both: [new_secret, old_secret].
secret = "${sampleSecret}"


# The time of the sample. A receiver leaves it out, and messages older than 5 minutes are refused.
def now() -> float:
    return ${seconds}


event = verify_webhook(headers, body, secret, now=now)
print(event["id"], event["type"])
`;
