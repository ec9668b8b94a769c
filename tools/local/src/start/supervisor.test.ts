import { beforeEach, describe, expect, it } from 'vitest';
import { createSupervisor, type Member, type Supervisor } from './supervisor.ts';

/** A fake process that starts and ends under control of the test. */
class FakeMember implements Member {
  name: string;
  pid: number | null = null;
  starts = 0;
  stops = 0;
  beforeStart: () => Promise<void> | void = () => {};
  #end = Promise.withResolvers<string>();
  #log: string[];

  constructor(name: string, log: string[] = []) {
    this.name = name;
    this.#log = log;
  }

  start = async () => {
    this.starts += 1;
    await this.beforeStart();
    this.#end = Promise.withResolvers<string>();
    this.pid = this.starts * 100;
  };
  exited = () => this.#end.promise;
  stop = async () => {
    this.stops += 1;
    this.#log.push(this.name);
    this.pid = null;
  };
  die(how = 'was ended by SIGKILL') {
    this.#end.resolve(how);
  }
}

describe('supervisor', () => {
  const pauses: number[] = [];
  const lines: string[] = [];
  let nowMs = 0;
  let changes = 0;
  let supervisor: Supervisor;
  beforeEach(() => {
    pauses.length = 0;
    lines.length = 0;
    nowMs = 0;
    changes = 0;
    supervisor = createSupervisor({
      report: (line) => lines.push(line),
      onChange: () => changes++,
      sleep: async (ms) => void pauses.push(ms),
      nowMs: () => nowMs,
    });
  });

  const turns = () => new Promise((resolve) => setImmediate(resolve));
  const dieAgain = async (member: FakeMember) => {
    member.die();
    await turns();
  };

  it('the supervisor restarts a member that has ended, reports it and the new pid', async () => {
    const member = new FakeMember('metering');
    await supervisor.add([member]);
    await dieAgain(member);
    expect(member.pid).toBe(200);
    expect(changes).toBe(1);
    expect(lines).toEqual(['metering was ended by SIGKILL; starting it again in 0.5 s', 'metering is back (pid 200)']);
  });

  it('the supervisor doubles its pauses up to fifteen seconds, and shortens them after a minute without an end', async () => {
    const member = new FakeMember('scanner');
    await supervisor.add([member]);
    for (let n = 0; n < 7; n++) await dieAgain(member);
    expect(pauses).toEqual([500, 1_000, 2_000, 4_000, 8_000, 15_000, 15_000]);
    nowMs += 61_000;
    await dieAgain(member);
    expect(pauses.at(-1)).toBe(500);
  });

  it('the supervisor retries when a member cannot be restarted', async () => {
    const member = new FakeMember('kafka');
    await supervisor.add([member]);
    member.beforeStart = () => {
      if (member.starts < 4) throw new Error('not yet');
    };
    await dieAgain(member);
    await turns();
    await turns();
    expect(member.starts).toBe(4);
    expect(lines).toContain('kafka could not be started again: not yet');
    expect(lines.at(-1)).toBe('kafka is back (pid 400)');
  });

  it('the supervisor stops from the last member to the first, even if one fails to stop', async () => {
    const order: string[] = [];
    const [mongodb, keys, gateway] = ['mongodb', 'keys', 'gateway'].map((name) => new FakeMember(name, order)) as [
      FakeMember,
      FakeMember,
      FakeMember,
    ];
    keys.stop = async () => {
      order.push('keys fails');
      throw new Error('no');
    };
    await supervisor.add([mongodb]);
    await supervisor.add([keys, gateway]);
    await supervisor.stop();
    expect(order).toEqual(['gateway', 'keys fails', 'mongodb']);
  });

  it('the supervisor starts nothing after a stop', async () => {
    const member = new FakeMember('keys');
    await supervisor.add([member]);
    await supervisor.stop();
    await dieAgain(member);
    expect(member.starts).toBe(1);
    await expect(supervisor.add([new FakeMember('late')])).rejects.toThrow('stopped');
  });

  it('the supervisor ends a process whose start finished during the stop', async () => {
    const member = new FakeMember('redis');
    await supervisor.add([member]);
    const gate = Promise.withResolvers<void>();
    member.beforeStart = () => gate.promise;
    await dieAgain(member);
    const stopped = supervisor.stop();
    gate.resolve();
    await stopped;
    expect(member.starts).toBe(2);
    expect(member.pid).toBe(null);
  });

  it('the supervisor rejects when one of several members cannot be started', async () => {
    const broken = new FakeMember('profiles');
    broken.beforeStart = () => {
      throw new Error('no database');
    };
    await expect(supervisor.add([new FakeMember('keys'), broken])).rejects.toThrow('no database');
  });
});
