import type { ASTNode } from 'graphql';
import { bounds } from './bounds.ts';
import { refusedAt } from './document-error.ts';

/** The text of about as many characters becomes a buffer, because a buffer of each store would cost more. */
const partLength = 32_768;

/** A value that is JSON already. */
export class EncodedJson {
  readonly parts: readonly Buffer[];

  constructor(parts: readonly Buffer[]) {
    this.parts = parts;
  }
}

/** Collects JSON in parts. It is too large -> 400 with the place of `node`, before anything is billed. */
export class JsonOutput {
  /** The field that is written. */
  node: ASTNode | undefined;
  private readonly parts: Buffer[] = [];
  private bytes = 0;
  private text = '';

  add(text: string): void {
    this.text += text;
    if (this.text.length > partLength) this.flush();
  }

  addParts(parts: readonly Buffer[]): void {
    this.flush();
    for (const part of parts) this.push(part);
  }

  end(): readonly Buffer[] {
    this.flush();
    return this.parts;
  }

  private flush(): void {
    const part = Buffer.from(this.text);
    this.text = '';
    this.push(part);
  }

  private push(part: Buffer): void {
    this.parts.push(part);
    this.bytes += part.length;
    if (this.bytes <= bounds.responseBytes) return;
    throw refusedAt(this.node, 'The document selects more than 16 MiB; select fewer members or stores');
  }
}
