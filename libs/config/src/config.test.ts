import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  ConfigError,
  grpcTarget,
  integer,
  kafkaSettings,
  list,
  readConfig,
  redisRules,
  redisSettings,
  z,
} from './index.ts';

const schema = z.object({
  PORT: integer({ min: 1, max: 65_535 }),
  SECRET: z.string().min(8, 'must have at least 8 characters'),
  NAMES: list().default(['a']),
});

function problemsOf(env: Record<string, string>): readonly string[] {
  try {
    readConfig(schema, env);
    return [];
  } catch (error) {
    return (error as ConfigError).problems;
  }
}

describe('readConfig', () => {
  it('readConfig reports all problems together, by the name of the variable', () => {
    expect(problemsOf({ PORT: 'x' })).toEqual(['PORT: must be a whole number', 'SECRET: is required']);
  });

  it('readConfig never puts a value into a message, so that logs contain no secrets', () => {
    expect(problemsOf({ PORT: '1', SECRET: 'hunter2' }).join()).not.toContain('hunter2');
  });

  it('readConfig refuses the placeholder of a template anywhere in a value, also in a file', () => {
    expect(problemsOf({ PORT: '1', SECRET: 'REPLACE-ME' })).toEqual([
      'SECRET: still contains the placeholder REPLACE-ME',
    ]);
    const path = join(mkdtempSync(join(tmpdir(), 'config-')), 'secret');
    writeFileSync(path, 'mongodb://keys:REPLACE-ME@db.example/\n');
    expect(problemsOf({ PORT: '1', SECRET_FILE: path })).toEqual(['SECRET: still contains the placeholder REPLACE-ME']);
  });

  it('readConfig reads a secret from a file', () => {
    const path = join(mkdtempSync(join(tmpdir(), 'config-')), 'secret');
    writeFileSync(path, 'from-a-file\n');
    expect(readConfig(schema, { PORT: '1', SECRET_FILE: path })).toEqual({
      PORT: 1,
      SECRET: 'from-a-file',
      NAMES: ['a'],
    });
    expect(problemsOf({ PORT: '1', SECRET: 'directly!', SECRET_FILE: path })).toEqual([
      'SECRET: set either SECRET or SECRET_FILE, not both',
    ]);
    expect(problemsOf({ PORT: '1', SECRET_FILE: '/absent' })[0]).toContain('SECRET_FILE: cannot be read (ENOENT)');
  });

  it('readConfig validates URLs and addresses', () => {
    const addresses = z.object({ A: grpcTarget(), ...kafkaSettings, ...redisSettings });
    const good = { A: 'dns:///keys:50051', KAFKA_BROKERS: 'a:1, b:2', REDIS_URL: 'redis://127.0.0.1:1' };
    expect(readConfig(addresses, good)).toMatchObject({ KAFKA_BROKERS: ['a:1', 'b:2'] });
    expect(readConfig(addresses, { ...good, A: 'ipv4:127.0.0.1:1,127.0.0.1:2' }).A).toContain(',');
    expect(() => readConfig(addresses, { ...good, A: 'keys' })).toThrow(ConfigError);
    expect(() => readConfig(addresses, { ...good, REDIS_URL: 'http://x' }, [redisRules])).toThrow('redis://');
  });
});
