import { join } from 'node:path'
import { readLines } from './read-lines.ts'

/** A prompt that no function of any catalog fits. Those of the half `dev` are learnt from, with those of `test` what was learnt is tested. */
export type Unfit = { readonly prompt: string; readonly kind: string; readonly half: 'dev' | 'test' }

/** Reads `nothing-fits.jsonl` of a folder. */
export async function readNothingFits(folder: string): Promise<Unfit[]> {
  return readLines(join(folder, 'nothing-fits.jsonl'))
}
