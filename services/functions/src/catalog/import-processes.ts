import { type ChildProcess, fork } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { Refusal } from '@onward/runtime'
import type { ImportInput, ImportOutput } from '../import-worker.ts'

type Converted = Exclude<ImportOutput, { readonly failure: string }>

/** Converts OpenAPI documents in separate processes: a large document blocks no request, and an endless conversion can be ended. */
export type ImportProcesses = {
  /** Throws a Refusal if the document takes too long or too much memory, or if too many documents are being converted. */
  convert(input: ImportInput, signal: AbortSignal): Promise<Converted>
  close(): void
}

const MAX_MS = 50_000
const MAX_PROCESSES = 2
const RETRY_AFTER_SECONDS = 5
const MAX_HEAP_MB = 256

/** The processes run `file`: the service's `import-worker`, as TypeScript if the service runs from its sources. */
export function openImportProcesses(file: string, maxMs = MAX_MS): ImportProcesses {
  const path = resolve(file)
  const fromSources = path.endsWith('.ts') ? ['--conditions=source', '--import', 'tsx'] : []
  const execArgv = [...fromSources, `--max-old-space-size=${MAX_HEAP_MB}`]
  const running = new Set<ChildProcess>()

  return {
    async convert(input, signal) {
      if (running.size >= MAX_PROCESSES) {
        throw new Refusal('rate_limited', 'too many documents are being converted; retry in a few seconds', [], {
          retryAfterSeconds: RETRY_AFTER_SECONDS,
        })
      }
      if (signal.aborted) throw stopped()
      // The environment contains secrets, which a process that reads foreign documents does not need.
      const child = fork(path, { execArgv, env: {}, serialization: 'advanced', stdio: ['ignore', 'ignore', 'ignore', 'ipc'] })
      running.add(child)
      endFirst(child)
      const stop = () => void child.kill('SIGKILL')
      signal.addEventListener('abort', stop, { once: true })
      try {
        return await outputOf(child, input, maxMs)
      } finally {
        signal.removeEventListener('abort', stop)
        stop()
        running.delete(child)
      }
    },
    close() {
      for (const child of running) child.kill('SIGKILL')
    },
  }
}

/** If the memory of the container runs out, Linux ends this process instead of the service. */
function endFirst({ pid }: ChildProcess): void {
  try {
    writeFileSync(`/proc/${pid}/oom_score_adj`, '1000')
  } catch {
    // This is not Linux, or the process has ended.
  }
}

async function outputOf(child: ChildProcess, input: ImportInput, maxMs: number): Promise<Converted> {
  let timer: NodeJS.Timeout | undefined
  const output = await new Promise<ImportOutput>((done, fail) => {
    timer = setTimeout(() => fail(tooComplex(`takes longer than ${maxMs / 1_000} s to convert`)), maxMs)
    child.once('message', (message) => done(message as ImportOutput))
    child.once('error', fail)
    child.once('exit', (code, signal) => {
      if (signal === 'SIGKILL') fail(stopped())
      // Node ends in this way when its heap is full.
      else if (signal === 'SIGABRT' || code === 134) fail(tooComplex('takes too much memory to convert'))
      else fail(new Error(`the process that converts a document ended with ${code ?? signal}`))
    })
    child.send(input, (err) => err && fail(err))
  }).finally(() => clearTimeout(timer))
  if ('failure' in output) throw new Error(output.failure)
  return output
}

function stopped(): Refusal {
  return new Refusal('unavailable', 'the conversion was stopped')
}

function tooComplex(problem: string): Refusal {
  return new Refusal('invalid_parameters', 'the document cannot be imported', [`document: ${problem}; import it in smaller parts`])
}
