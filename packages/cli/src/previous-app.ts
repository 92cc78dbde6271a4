import type { AppFile } from '@onward/catalog'
import { OnwardError, send, type Target, TransportError } from '@onward/client'
import { getImportedApp } from '@onward/contract'
import { hint } from './output.ts'
import { adminOf } from './settings.ts'
import { type GlobalOptions, type Terminal, UsageError } from './terminal.ts'

/** An app as it was imported before; undefined when it was not. `functions` is undefined in a dry run, which goes on without an answer too. */
export async function findPrevious(
  terminal: Terminal,
  options: GlobalOptions,
  functions: Target | undefined,
  name: string,
): Promise<AppFile | undefined> {
  try {
    const target = functions ?? (await adminOf('functions', terminal, options))
    const { file } = await send(target, getImportedApp, { params: { name } })
    return file as unknown as AppFile
  } catch (err) {
    if (err instanceof OnwardError && err.code === 'app_not_found') return undefined
    if (functions !== undefined) throw err
    if (err instanceof UsageError) return undefined
    if (err instanceof TransportError || err instanceof OnwardError) {
      hint(terminal, `${err.message}: everything is reported as new`)
      return undefined
    }
    throw err
  }
}
