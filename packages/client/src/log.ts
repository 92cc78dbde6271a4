export type LogLevel = 'off' | 'error' | 'warn' | 'info' | 'debug'

/** `console`, pino, winston and others have this form. */
export type Logger = { readonly [Level in Exclude<LogLevel, 'off'>]: (message: string) => void }

const LEVELS: readonly LogLevel[] = ['off', 'error', 'warn', 'info', 'debug']

/** Returns a function that writes a line if its level is high enough. */
export function logTo(logger: Logger = console, level: LogLevel = 'off'): (level: Exclude<LogLevel, 'off'>, message: string) => void {
  const enabled = LEVELS.indexOf(level)
  return (at, message) => {
    if (LEVELS.indexOf(at) <= enabled) logger[at](`onward: ${message}`)
  }
}
