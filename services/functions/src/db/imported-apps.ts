import { sql } from 'kysely'
import type { Db } from './tables.ts'

/** `file` is the app file as JSON text. */
export type ImportedApp = { readonly name: string; readonly version: string; readonly file: string; readonly modifiedAt: Date }

const COLUMNS = ['name', 'version', 'file', 'modified_at as modifiedAt'] as const

/**
 * Stores an app, or replaces the app of the same name. `moved` means that its requests go to other addresses than before. Stored
 * credentials must not be sent there, so users must connect their accounts again, and the OAuth clients are deleted. Runs on `slowDb`,
 * because it must change all accounts at once.
 */
export async function putImportedApp(db: Db, { name, version, file }: Omit<ImportedApp, 'modifiedAt'>, moved: boolean): Promise<void> {
  await db.transaction().execute(async (tx) => {
    await sql`
      insert into imported_app (name, version, file) values (${name}, ${version}, ${file})
      on conflict (name) do update set version = excluded.version, file = excluded.file, modified_at = now()
        where imported_app.version <> excluded.version`.execute(tx)
    if (!moved) return
    await tx.deleteFrom('oauth_client').where('app', '=', name).execute()
    await sql`
      update connected_account set status = 'reconnect_required', last_error = 'The app was imported again with other addresses',
        version = version + 1, modified_at = now()
      where app = ${name}`.execute(tx)
  })
}

export async function findImportedApp(db: Db, name: string): Promise<ImportedApp | undefined> {
  return await db.selectFrom('imported_app').select(COLUMNS).where('name', '=', name).executeTakeFirst()
}

/** Returns the imported apps by name, without their files. */
export async function selectImportedApps(db: Db): Promise<Omit<ImportedApp, 'file'>[]> {
  return await db.selectFrom('imported_app').select(['name', 'version', 'modified_at as modifiedAt']).orderBy('name').execute()
}

/** Deletes an app. Returns whether it existed. */
export async function deleteImportedApp(db: Db, name: string): Promise<boolean> {
  const deleted = await db.deleteFrom('imported_app').where('name', '=', name).executeTakeFirst()
  return deleted.numDeletedRows === 1n
}
