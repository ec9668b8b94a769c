export async function runPlanted(_: unknown): Promise<number> {
  return 0;
}
