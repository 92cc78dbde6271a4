import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { symbols } from 'pino'
import { type Log, makeEndpoints, openLog, openMetrics, openRequestSeconds, type RequestLog } from '../src/index.ts'

/** Returns the parts of a request log. Without `log`, its lines are discarded. */
export function openRequestLog(log = openLog('test', 'silent')): RequestLog {
  return { log, seconds: openRequestSeconds(openMetrics('test')), endpoints: makeEndpoints([], []), senderOf: () => ({}) }
}

/** Opens a log in a temporary file; `lines` returns its lines so far. */
export async function openLogFile(): Promise<{ log: Log; lines(): Promise<Record<string, unknown>[]>; close(): Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), 'onward-log-'))
  const file = join(folder, 'log')
  const log = openLog('test', 'info', file)
  // A flush before the file is open writes nothing.
  await once(Reflect.get(log, symbols.streamSym), 'ready')
  return {
    log,
    async lines() {
      await new Promise((resolve) => log.flush(resolve))
      const text = await readFile(file, 'utf8')
      return text
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line))
    },
    close: () => rm(folder, { recursive: true }),
  }
}
