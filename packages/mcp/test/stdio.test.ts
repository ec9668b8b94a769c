import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { proxiedHost, startBehindProxy } from '../../client/test/behind-proxy.ts';
import { json, type ScriptedService, startScriptedService } from '../../client/test/scripted-service.ts';

const main = new URL('../src/main.ts', import.meta.url).pathname;

describe('server over standard input and output', () => {
  const state = mkdtempSync(join(tmpdir(), 'mcp-stdio-'));
  let service: ScriptedService;

  beforeAll(async () => {
    service = await startScriptedService([
      (received, response) => {
        const isAccount = received.url === '/v1/account';
        const error = { code: 'not_found', message: 'It is unknown.', request_id: 'req_1' };
        return json(isAccount ? 200 : 404, isAccount ? { key: { id: 'key_1' } } : { error })(received, response);
      },
    ]);
  });
  afterAll(async () => {
    await service[Symbol.asyncDispose]();
    rmSync(state, { recursive: true, force: true });
  });

  const transportOf = (env: Record<string, string>, stderr: 'ignore' | 'pipe' = 'ignore') =>
    new StdioClientTransport({
      command: process.execPath,
      args: ['--conditions=@shopscope/source', main],
      env: { XDG_STATE_HOME: state, ...env },
      stderr,
    });
  const connect = async (env: Record<string, string>) => {
    const model = new Client({ name: 'test', version: '1' });
    await model.connect(transportOf(env));
    return model;
  };

  test('the MCP server over stdio lists its tools and calls the API with the key of the environment', async () => {
    const model = await connect({ SHOPSCOPE_API_KEY: 'svc_live_secret', SHOPSCOPE_BASE_URL: service.url });
    expect((await model.listTools()).tools).toHaveLength(13);
    const result = await model.callTool({ name: 'look_up_store', arguments: { domain: 'unknown.example' } });
    expect(result.structuredContent).toMatchObject({ known: false, units_left_today: 200 });
    expect(service.received.at(-1)?.headers).toMatchObject({
      authorization: 'Bearer svc_live_secret',
      'user-agent': expect.stringMatching(/^shopscope-mcp shopscope-client\//),
    });
    await model.close();
  });

  test('the MCP server over stdio reaches the API through the proxy of the environment', async () => {
    await using behind = await startBehindProxy(() => ({
      key: { id: 'key_1' },
      period: { starts_at: '', ends_at: '', included: {}, used: {} },
    }));
    const model = await connect({ ...behind.env, SHOPSCOPE_API_KEY: 'svc_live_x', SHOPSCOPE_BASE_URL: behind.baseUrl });
    await model.callTool({ name: 'get_usage', arguments: {} });
    await model.close();
    expect(behind.asked[0]).toBe(`CONNECT ${proxiedHost}:443`);
    expect(behind.paths).toContain('/v1/usage');
  });

  test('the MCP server over stdio refuses a key with quotes at its start, and the message names the character', async () => {
    const transport = transportOf({ SHOPSCOPE_API_KEY: '"svc_live_x"', SHOPSCOPE_BASE_URL: service.url }, 'pipe');
    let log = '';
    transport.stderr?.on('data', (chunk) => (log += chunk));
    await expect(new Client({ name: 'test', version: '1' }).connect(transport)).rejects.toThrow();
    expect(log).toContain('shopscope-mcp: the API key has a quotation mark (U+0022) at position 1');
    expect(log).not.toContain('svc_live');
  });

  test('the MCP server over stdio refuses a message that is too long, says so on standard error, and answers the next one', async () => {
    const transport = transportOf({ SHOPSCOPE_API_KEY: 'svc_live_secret', SHOPSCOPE_BASE_URL: service.url }, 'pipe');
    let log = '';
    transport.stderr?.on('data', (chunk) => (log += chunk));
    const model = new Client({ name: 'test', version: '1' });
    const errors: string[] = [];
    model.onerror = ({ message }) => errors.push(message);
    await model.connect(transport);
    const domain = 'x'.repeat(11 * 1024 * 1024);
    const unanswered = new AbortController();
    const call = model.callTool({ name: 'look_up_store', arguments: { domain } }, undefined, unanswered);
    call.catch(() => undefined);
    await expect.poll(() => errors).toHaveLength(1);
    expect(errors[0]).toContain('"code":-32600,"message":"A message has at most 10485760 bytes.');
    const sentence = 'shopscope-mcp: A message has at most 10485760 bytes. A longer one was not read.\n';
    await expect.poll(() => log).toBe(sentence);
    expect((await model.listTools()).tools).toHaveLength(13);
    unanswered.abort();
    await model.close();
  });

  test('the MCP server over stdio says on standard error which line was not a message', async () => {
    const transport = transportOf({ SHOPSCOPE_API_KEY: 'svc_live_secret', SHOPSCOPE_BASE_URL: service.url }, 'pipe');
    let log = '';
    transport.stderr?.on('data', (chunk) => (log += chunk));
    await transport.start();
    await transport.send('no message' as never);
    await expect.poll(() => log).toMatch(/^shopscope-mcp: .*\n$/);
    await transport.close();
  });

  test.each([
    ['a key', { SHOPSCOPE_BASE_URL: 'http://127.0.0.1:1' }],
    ['an address', { SHOPSCOPE_API_KEY: 'svc_live_secret' }],
    [
      'a number of units',
      { SHOPSCOPE_API_KEY: 'x', SHOPSCOPE_BASE_URL: 'http://127.0.0.1:1', SHOPSCOPE_MCP_DAILY_UNITS: 'many' },
    ],
  ])('the MCP server over stdio ends without %s', async (_, env) => {
    await expect(connect(env as never)).rejects.toThrow();
  });
});
