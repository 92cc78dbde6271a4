import { OnwardError } from '@onward/client'
import { CommanderError } from 'commander'
import { hint, printable } from './output.ts'
import { type Terminal, UsageError } from './terminal.ts'

/** Says what went wrong, a line for the error and one for each detail, and gives the exit code: 2 for wrong usage, else 1. */
export function report(terminal: Terminal, err: unknown): number {
  // Commander has written its message, or the help that was asked for, by itself.
  if (err instanceof CommanderError) return err.exitCode === 0 ? 0 : 2
  hint(terminal, `error: ${printable(err instanceof Error ? err.message : String(err))}`)
  if (err instanceof OnwardError) for (const detail of err.details) hint(terminal, `  ${printable(detail)}`)
  if (err instanceof OnwardError && err.code === 'unauthenticated') hint(terminal, '  the admin token is not the one of this service')
  return err instanceof UsageError ? 2 : 1
}
