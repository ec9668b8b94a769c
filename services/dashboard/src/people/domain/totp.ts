import { createHmac, timingSafeEqual } from 'node:crypto';

/** Time-based one-time passwords (RFC 6238), as authenticator apps make them: SHA-1, 6 digits, 30 s. */
const stepMs = 30_000;
const digits = 6;
/** Codes of the previous and the next time step are accepted too, because clocks differ. */
const toleratedSteps = 1;

/** The time step of the code; undefined if the code belongs to no accepted step. */
export function matchingStep(secret: string, code: string, nowMs: number): number | undefined {
  if (!/^\d{6}$/.test(code)) return undefined;
  const current = Math.floor(nowMs / stepMs);
  for (let step = current - toleratedSteps; step <= current + toleratedSteps; step++) {
    if (timingSafeEqual(Buffer.from(totpCode(secret, step)), Buffer.from(code))) return step;
  }
  return undefined;
}

/** The code of a time step. */
export function totpCode(secret: string, step: number): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const mac = createHmac('sha1', secret).update(counter).digest();
  const offset = (mac.at(-1) as number) & 0xf;
  const number = (mac.readUInt32BE(offset) & 0x7fff_ffff) % 10 ** digits;
  return String(number).padStart(digits, '0');
}
