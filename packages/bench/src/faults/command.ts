import type { Rig } from './rig/open-rig.ts'
import type { RigOptions } from './rig/options.ts'

/** What the command line gives. Left out: undefined. */
export type Arguments = {
  readonly short: boolean
  readonly control: boolean
  readonly only: readonly string[] | undefined
  readonly on: RigOptions['on']
  number(name: 'seed' | 'tasks' | 'faults' | 'users' | 'callers' | 'minutes' | 'rows' | 'rate', fallback: number): number
}

export type Desk = {
  readonly arguments: Arguments
  say(line: string): void
  /** Opens a rig for as long as `work` takes; it is closed on Ctrl-C too. */
  withRig<T>(options: Partial<Omit<RigOptions, 'root' | 'dir' | 'env'>>, work: (rig: Rig) => Promise<T>): Promise<T>
}

/** A command of `pnpm faults`. Throws when something that must hold does not. */
export type Command = { readonly summary: string; run(desk: Desk): Promise<void> }
