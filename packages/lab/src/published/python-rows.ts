import { spawn, spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import type { Result, Target } from './row.ts'

/** Uses each method of the Python client in the folder `python`, with the interpreter `PYTHON`, by default `python3`. */
export async function pythonRows(from: string, target: Target, env: NodeJS.ProcessEnv): Promise<Result> {
  const folder = join(from, 'python/src')
  const python = env.PYTHON || 'python3'
  if (!existsSync(join(folder, 'integry'))) return { skipped: `there is no ${folder}/integry` }
  const { status } = spawnSync(python, ['-c', 'import sys, httpx, pydantic; sys.exit(sys.version_info < (3, 12))'])
  if (status !== 0) return { skipped: `${python} must be Python 3.12 or newer with httpx and pydantic; set PYTHON to another one` }
  const program = spawn(python, [join('packages/lab/src/published/python/run.py'), folder], {
    env: { ...env, PYTHONDONTWRITEBYTECODE: '1' },
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  program.stdin.end(JSON.stringify(target))
  const lines = (await text(program.stdout)).trim().split('\n')
  return { rows: lines.filter((line) => line !== '').map((line) => JSON.parse(line)) }
}
