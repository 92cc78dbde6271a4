type Writable = { write(text: string): unknown }

/** What a command has of the world around it: a process hands its own in, a test one of its making. */
export type Terminal = {
  readonly env: Readonly<Record<string, string | undefined>>
  readonly cwd: string
  readonly stdin: AsyncIterable<Buffer | string> & { readonly isTTY?: boolean }
  readonly stdout: Writable
  readonly stderr: Writable
  now(): Date
}

/** Options that every command takes. */
export type GlobalOptions = { readonly functionsUrl?: string; readonly insightsUrl?: string; readonly json?: true }

/** The command was called in a way that can not work: exit code 2. */
export class UsageError extends Error {}
