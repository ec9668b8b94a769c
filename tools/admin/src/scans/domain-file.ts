import { canonicalizeDomain, type DomainProblem } from '@shopscope/domain-name';
import { type CorpusFileOptions, readLines } from '../corpus/corpus-file.ts';

export interface DomainFileOptions {
  path: string;
  /** Called for each line that names no registrable domain. */
  onInvalid(line: number, problem: string): void;
  onRead?: CorpusFileOptions['onRead'];
}

const problems: Record<DomainProblem, string> = {
  too_short: 'is too short for a domain',
  too_long: 'is too long for a domain',
  not_a_hostname: 'is not a host name',
  ip_address: 'is an IP address',
  not_registrable: 'has no registrable domain',
};

/** The domains of a text file, one per line, in canonical form. Empty lines are ignored. Memory: one line. */
export async function* readDomains({ path, onInvalid, onRead }: DomainFileOptions): AsyncGenerator<string> {
  let number = 0;
  for await (const bytes of readLines(path, onRead)) {
    number += 1;
    const text = bytes?.toString('utf8').trim();
    if (text === '') continue;
    const canonical = canonicalizeDomain(text ?? '');
    if (canonical.ok) yield canonical.value.domain;
    else onInvalid(number, problems[text === undefined ? 'too_long' : canonical.problem]);
  }
}
