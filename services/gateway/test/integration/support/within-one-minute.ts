import { minuteMs } from '@shopscope/clock';
import { waitUntil } from '@shopscope/testing';

const minute = () => Math.floor(Date.now() / minuteMs);

/** Repeats `work` until a run begins and ends in the same minute, so that no rate window ends during it. Returns its result. */
export async function withinOneMinute<T>(work: () => Promise<T>): Promise<T> {
  const { result } = await waitUntil('a run within one minute', async () => {
    const began = minute();
    const result = await work();
    return began === minute() && { result };
  });
  return result;
}
