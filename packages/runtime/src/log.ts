import { type Logger, type LoggerOptions, pino } from 'pino'
import { codeOf } from './error-code.ts'

export type Log = Logger

/** What knows the trace of a log line. */
type Traced = { current(): { readonly traceId: string } | undefined }

/**
 * How lines are gathered: a write for each line costs as much CPU as making the line. pino writes the rest when the process ends. A killed
 * process loses the lines of its last 100 ms.
 */
const GATHER = { sync: false, minLength: 15_360, periodicFlush: 100 }

/**
 * Opens a log of JSON lines on stdout or in a file. Lines are written after 100 ms at most. Fields that can hold credentials are masked, so
 * that a careless log line leaks nothing. A warning about an error is written once; then its repeats are counted, and one line a minute has
 * their number as `repeated`. Without this, a process writes 20 warnings a second in an outage. With `tracing`, a line about a traced request or
 * job has its `trace_id`.
 */
export function openLog(service: string, level: string, file?: string, tracing?: Traced): Log {
  const options: LoggerOptions = {
    level,
    base: { service },
    timestamp: pino.stdTimeFunctions.isoTime,
    redact: {
      paths: [
        'headers',
        '*.headers',
        'config',
        '*.config',
        'credentials',
        '*.credentials',
        'request',
        '*.request',
        'response',
        '*.response',
      ],
      censor: '[masked]',
    },
    serializers: { err: describeError },
    hooks: { logMethod: countRepeats() },
  }
  if (tracing !== undefined) options.mixin = () => traceOf(tracing.current())
  return pino(options, pino.destination({ ...GATHER, dest: file ?? process.stdout.fd, mkdir: true }))
}

const REPEAT_MS = 60_000
/** More different warnings are not counted, so that a message with changing parts cannot fill the memory. */
const MOST_COUNTED = 1_000

type LogMethod = NonNullable<NonNullable<LoggerOptions['hooks']>['logMethod']>

function countRepeats(): LogMethod {
  const counts = new Map<string, number>()
  return function logMethod(args, method, level) {
    const [fields, message]: readonly unknown[] = args
    if (level !== pino.levels.values.warn || !hasError(fields)) return method.apply(this, args)
    const key = [message, fields.queue, fields.metric, fields.app, codeOf(fields.err) ?? fields.err.message].join(' ')
    const count = counts.get(key)
    if (count !== undefined) return void counts.set(key, count + 1)
    if (counts.size >= MOST_COUNTED) return method.apply(this, args)
    counts.set(key, 0)
    method.apply(this, args)
    setTimeout(() => {
      const repeated = counts.get(key) ?? 0
      counts.delete(key)
      if (repeated > 0) this.warn({ ...fields, repeated }, String(message))
    }, REPEAT_MS).unref()
  }
}

function hasError(
  fields: unknown,
): fields is { readonly err: Error; readonly queue?: unknown; readonly metric?: unknown; readonly app?: unknown } {
  return typeof fields === 'object' && fields !== null && 'err' in fields && fields.err instanceof Error
}

/** Returns the field of a log line that names the trace. */
export function traceOf(span: { readonly traceId: string } | undefined): { trace_id?: string } {
  return span === undefined ? {} : { trace_id: span.traceId }
}

/** Resolves when all lines are written. */
export async function flushLog(log: Log): Promise<void> {
  await new Promise((resolve) => log.flush(resolve))
}

/** Returns the fields of an error that a log line may contain. Errors of axios carry whole requests with credentials. */
function describeError(err: unknown): object {
  if (!(err instanceof Error)) return { message: String(err) }
  const code = codeOf(err)
  return { name: err.name, message: err.message, stack: err.stack, ...(code === undefined ? {} : { code }) }
}
