import { sql } from 'kysely'
import { headingOf, openBrowser, useShelf } from '../support/connecting.ts'

const { onward, shelf, openShelf } = useShelf()

async function rowsOf(table: 'connect_session' | 'connect_link', userId: string): Promise<number> {
  const { rows } = await sql<{ rows: number }>`
    select count(*)::int as rows from ${sql.table(table)} where user_id = ${userId}`.execute(onward.db)
  return rows[0]?.rows ?? 0
}

it('a user has at most 100 sessions to connect accounts: one more ends the oldest, and none of another user', async () => {
  const other = await openShelf('ann')
  const first = await openShelf('joe')
  await sql`
    insert into connect_session (token_hash, browser_hash, app_key, user_id, app, scheme, link_expires_at, expires_at)
    select sha256(n::text::bytea), browser_hash, app_key, user_id, app, scheme, link_expires_at, expires_at + n * interval '1 ms'
    from connect_session, generate_series(1, 99) n where user_id = 'joe'`.execute(onward.db)
  const last = await openShelf('joe')
  expect(await rowsOf('connect_session', 'joe')).toBe(100)
  const refused = await first.browser.submit(first.page, shelf())
  expect([refused.status, headingOf(refused)]).toEqual([400, 'This page cannot continue'])
  for (const { browser, page } of [last, other]) expect((await browser.submit(page, shelf())).status).toBe(200)
})

it('a user has at most 100 links to pages: one more ends the one that would expire first', async () => {
  const makeLink = async (userId: string) =>
    (await onward.user(userId).post('/connect/session', { app: 'shelf' }).expect(200)).body.url as string
  const other = await makeLink('ann')
  const first = await makeLink('joe')
  await sql`
    insert into connect_link (token_hash, app_key, user_id, app, manage, expires_at)
    select sha256(n::text::bytea), app_key, user_id, app, manage, expires_at + n * interval '1 ms'
    from connect_link, generate_series(1, 99) n where user_id = 'joe'`.execute(onward.db)
  const last = await makeLink('joe')
  expect(await rowsOf('connect_link', 'joe')).toBe(100)
  expect((await openBrowser().open(first)).status).toBe(410)
  for (const url of [last, other]) expect((await openBrowser().open(url)).status).toBeLessThan(400)
})
