import type { AppFile } from '@onward/catalog'
import { send, type Target } from '@onward/client'
import { putApp } from '@onward/contract'
import { reasonOf } from './reason-of.ts'

/** Several at once, so that the catalog takes in some of them together. */
const AT_ONCE = 32

/** Imports apps over the admin API; all are served then. Throws where one, or a function of one, can't be taken. */
export async function putApps(admin: Target, apps: readonly AppFile[]): Promise<void> {
  for (let at = 0; at < apps.length; at += AT_ONCE) {
    await Promise.all(apps.slice(at, at + AT_ONCE).map((file) => putOne(admin, file)))
  }
}

async function putOne(admin: Target, file: AppFile): Promise<void> {
  const input = { params: { name: file.name }, body: { file } }
  const { quarantined } = await send(admin, putApp, input).catch((err: unknown) => {
    throw new Error(`the app ${file.name} can't be imported: ${reasonOf(err)}`)
  })
  const [first] = quarantined
  if (first !== undefined) throw new Error(`the function ${first.function} can't be used: ${first.problems.join('; ')}`)
}
