/** What the clients need of a running Onward: one of the two applications of `npm start`. */
export type Target = {
  readonly url: string
  readonly app_key: string
  readonly app_secret: string
  /** A user with a connected address book. */
  readonly user_id: string
  /** A user without accounts. */
  readonly other_user_id: string
}

/** One use of one method of a client. `problem` is null when it worked. */
export type Row = { readonly row: string; readonly problem: string | null }

/** The rows of a client, or the reason why it was not run. */
export type Result = { readonly rows: readonly Row[] } | { readonly skipped: string }

/** Runs checks one after the other. */
export async function runRows(checks: Readonly<Record<string, () => Promise<void>>>): Promise<Row[]> {
  const rows: Row[] = []
  for (const [row, check] of Object.entries(checks)) {
    const problem = await check().then(
      () => null,
      (err: unknown) => (err instanceof Error ? err.message : String(err)).slice(0, 300),
    )
    rows.push({ row, problem })
  }
  return rows
}
