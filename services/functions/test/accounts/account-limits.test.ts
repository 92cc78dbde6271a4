import { sql } from 'kysely'
import request from 'supertest'
import { connectedId, headingOf, respondAsShelf, SHELF_KEY, useShelf } from '../support/connecting.ts'

const { onward, shelf, openShelf } = useShelf()
const TOO_MANY = 'You have too many accounts of this app'

/** Inserts accounts of Shelf until the user has this many. */
async function fillUp(userId: string, accounts: number): Promise<void> {
  await sql`
    insert into connected_account (app_key, user_id, app, display_name, sealed_credentials)
    select 'app-1', ${userId}, 'shelf', n::text, '' from generate_series(1, ${accounts - (await count(userId))}::int) n`.execute(onward.db)
}
async function count(userId: string): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select count(*)::int as n from connected_account where user_id = ${userId} and app = 'shelf'`.execute(onward.db)
  return rows[0]?.n ?? 0
}
const store = (userId: string) =>
  onward.admin('post', '/admin/applications/app-1/connected-accounts', { user_id: userId, app: 'shelf', credentials: shelf() })
async function connect(userId: string) {
  const { browser, page } = await openShelf(userId)
  return await browser.submit(page, shelf())
}
const disconnectOne = async (userId: string) => {
  const { body } = await onward.user(userId).post('/connected-accounts/list', { app: 'shelf' }).expect(200)
  const { id } = body.connected_accounts.find(({ display_name }: { display_name: string }) => display_name === '1')
  await request(onward.url).delete(`/connected-accounts/${id}?force=true`).set(onward.user(userId).headers).expect(200)
}

describe('a user with 100 accounts of an app', () => {
  it('gets none more from an administrator, also when 20 are stored at once', async () => {
    await fillUp('ann', 95)
    const answers = await Promise.all(Array.from({ length: 20 }, () => store('ann')))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(5)
    expect(answers.filter(({ body }) => body.code === 'too_many_accounts').map(({ status }) => status)).toEqual(Array(15).fill(409))
    expect(await count('ann')).toBe(100)
    await store('ben').expect(200)
  })

  it('connects none more on the page, but one that is connected already, and another after disconnecting one', async () => {
    const first = connectedId(await connect('joe'))
    await fillUp('joe', 100)
    expect(connectedId(await connect('joe'))).toBe(first)
    respondAsShelf(onward, { id: 8, email: 'eve@example.com' })
    const refused = await connect('joe')
    expect([refused.status, headingOf(refused)]).toEqual([409, TOO_MANY])
    expect(refused.text).toContain('Disconnect one of the 100')
    const { body } = await onward.admin('get', '/admin/audit?workspace_id=workspace-1&action=connected-account.connect').expect(200)
    expect(body.entries[0]).toMatchObject({ outcome: 'refused', code: 'too_many_accounts', after: null })
    await disconnectOne('joe')
    expect((await connect('joe')).status).toBe(200)
    expect(await count('joe')).toBe(100)
  })

  it('connects none more on several pages at once', async () => {
    await fillUp('kim', 97)
    let owners = 0
    onward.third.respond(({ headers }, response) => {
      response.writeHead(headers['x-shelf-key'] === SHELF_KEY ? 200 : 401, { 'content-type': 'application/json' })
      response.end(JSON.stringify({ reader: { id: 100 + owners++, email: 'ada@example.com' } }))
    })
    const opened = await Promise.all(Array.from({ length: 8 }, () => openShelf('kim')))
    const pages = await Promise.all(opened.map(({ browser, page }) => browser.submit(page, shelf())))
    expect(pages.map(({ status }) => status).toSorted()).toEqual([...Array(3).fill(200), ...Array(5).fill(409)])
    expect(await count('kim')).toBe(100)
  })

  it('confirms none more, and can confirm it once one is disconnected', async () => {
    const put = (confirm_accounts: boolean) =>
      onward.admin('put', '/admin/applications/app-1', { workspace_id: 'workspace-1', name: 'app-1', confirm_accounts }).expect(200)
    await put(true)
    const open = async () => {
      const page = await connect('lee')
      return { page, id: connectedId(page), confirmation: /confirmation: "([\w-]{43})"/.exec(page.text)?.[1] ?? 'none' }
    }
    const confirm = ({ id, confirmation }: Awaited<ReturnType<typeof open>>) =>
      onward.user('lee').post(`/connected-accounts/${id}/confirm`, { confirmation })
    const pending: Awaited<ReturnType<typeof open>>[] = []
    for (let owner = 1; owner <= 4; owner++) {
      respondAsShelf(onward, { id: owner, email: `${owner}@example.com` })
      pending.push(await open())
    }
    await fillUp('lee', 98)
    const answers = await Promise.all(pending.map(confirm))
    expect(answers.map(({ body }) => body.code ?? 'confirmed').toSorted()).toEqual([
      ...['confirmed', 'confirmed'],
      ...['too_many_accounts', 'too_many_accounts'],
    ])
    expect(await count('lee')).toBe(100)
    respondAsShelf(onward, { id: 5, email: '5@example.com' })
    expect(headingOf((await open()).page)).toBe(TOO_MANY)

    const refused = pending.find((_each, n) => answers[n]?.status === 409)
    const confirmed = answers.findIndex(({ status }) => status === 200)
    respondAsShelf(onward, { id: confirmed + 1, email: 'again@example.com' })
    expect((await confirm(await open()).expect(200)).body.id).toBe(answers[confirmed]?.body.id)
    if (refused === undefined) throw new Error('no account was refused')
    await confirm(refused).expect(409)
    await disconnectOne('lee')
    await confirm(refused).expect(200)
    await put(false)
  })

  it('can connect accounts of other apps', async () => {
    await fillUp('max', 100)
    await store('max').expect(409)
    await onward.user('max').connect('desk')
  })
})
