import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { EvalSet } from './sets/set.ts'

/** Trains a ranker on all sets but one, with the script that made the one that comes with Onward. Gives the folder that holds it. */
export async function trainWithout(
  leftOut: string,
  sets: readonly EvalSet[],
  { root, work }: { root: string; work: string },
): Promise<string> {
  const folder = join(work, `without-${leftOut}`)
  await mkdir(folder, { recursive: true })
  const folders = sets.flatMap((set) => (set.folder === undefined ? [] : [set.folder]))
  const script = join(root, 'packages/predict/train/main.ts')
  const child = spawn(process.execPath, [...process.execArgv, script, '--leave-out', leftOut, '--out', folder, '--sets', ...folders], {
    cwd: root,
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let said = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    said += text
  })
  const [code] = await once(child, 'close')
  if (code !== 0) throw new Error(`no ranker could be trained without ${leftOut}: ${said.trim()}`)
  return folder
}
