import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { checkOutOld } from '../rig/old-version.ts'
import type { Scores, SetReport } from './score-set.ts'
import { typedReport } from './typed.ts'

const MAX_OUTPUT_BYTES = 16 * 1024 * 1024

/** Returns the scores of each set with the code, weights and prompts of a commit, by its own evaluation. `args` are its options; `env` names the stores. */
export async function evaluateOld(
  root: string,
  commit: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv,
): Promise<ReadonlyMap<string, Scores>> {
  const folder = await checkOutOld(root, commit)
  const command = ['--conditions=source', '--import', 'tsx', 'packages/lab/src/eval/main.ts', ...args, '--json']
  const { stdout } = await promisify(execFile)(process.execPath, command, { cwd: folder, env, maxBuffer: MAX_OUTPUT_BYTES })
  const { sets, typed } = JSON.parse(stdout)
  const reports: SetReport[] = typed === undefined ? sets : [...sets, typedReport('blind', typed, null)]
  return new Map(reports.map(({ set, shipped }) => [set, shipped]))
}
