import { type Logger, type LoggerOptions, pino } from 'pino'

export type Log = Logger

/** JSON lines on stdout, or into a file. Header and credential fields are masked wherever they stand, so that a careless log line leaks nothing. */
export function openLog(service: string, level: string, file?: string): Log {
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
  }
  return file === undefined ? pino(options) : pino(options, pino.destination({ dest: file, sync: false, mkdir: true }))
}

/** What a log line may hold of an error: axios errors carry whole requests with credentials, so only these fields pass. */
function describeError(err: unknown): object {
  if (!(err instanceof Error)) return { message: String(err) }
  const { code } = err as { code?: unknown }
  return { name: err.name, message: err.message, stack: err.stack, ...(code === undefined ? {} : { code }) }
}
