import { type Logger, type LoggerOptions, pino } from 'pino'
import { codeOf } from './error-code.ts'

export type Log = Logger

/** Opens a log of JSON lines on stdout or in a file. Fields that can hold credentials are masked, so that a careless log line leaks nothing. */
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

/** Returns the fields of an error that a log line may contain. Errors of axios carry whole requests with credentials. */
function describeError(err: unknown): object {
  if (!(err instanceof Error)) return { message: String(err) }
  const code = codeOf(err)
  return { name: err.name, message: err.message, stack: err.stack, ...(code === undefined ? {} : { code }) }
}
