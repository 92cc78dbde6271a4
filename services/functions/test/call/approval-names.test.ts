import type { PolicyRule } from '@onward/contract'
import { sendJson } from '@onward/testbed'
import { signIn } from '../support/sign-in-support.ts'
import type { User } from '../support/support.ts'
import { useBoard } from '../support/use-board.ts'

const { asked, boardUser, connect, onward } = useBoard()
const ASK: PolicyRule = { apps: ['board'], types: ['ACTION'], result: 'ask' }
const POST = 'board-post-message'
const GENERAL = { channel: 'C024BE91L', text: 'Hi' }

const setRules = (...rules: PolicyRule[]) => onward.admin('put', '/admin/applications/app-1/policy', { rules }).expect(200)

/** Makes a call that asks, and returns the page of its approval. */
async function pageOf(user: User, name: string, args: object, query = ''): Promise<string> {
  const { approval_url: url } = (await user.call(name, args, query).expect(403)).body
  expect(asked()).toEqual([])
  return (await (await signIn(user)).open(url)).text
}

describe('the page of an approval', () => {
  beforeEach(() => setRules(ASK))

  it('shows the names of ids, which it reads with the account of the call, and counts no task', async () => {
    const user = await boardUser()
    const second = await connect(user, 'board-token-of-the-second')
    const rows = await onward.rows()
    expect(await pageOf(user, POST, GENERAL, `?connected_account_id=${second}`)).toContain('C024BE91L (general)')
    expect(asked()).toEqual(['/channels', '/channels?after=more'])
    expect(onward.third.received.map(({ headers }) => headers.authorization)).toEqual(Array(2).fill('Bearer board-token-of-the-second'))
    expect(await onward.rows()).toEqual({ ...rows, call_log: rows.call_log + 1 })
    const { calls } = (await user.post('/calls/list', { internal: true }).expect(200)).body
    expect(calls).toMatchObject([{ function_name: 'board-list-channels' }])
  })

  it('shows the name of each of several ids, and reads a list that depends on another argument', async () => {
    const text = await pageOf(await boardUser(), 'board-create-deal', {
      name: 'Deal',
      pipeline_id: 8,
      stage_id: 's2',
      tag_ids: ['t1', 't9'],
    })
    for (const shown of ['8 (Marketing)', 's2 (In talks)', 't1 (hot)', '<div class="sent">t9</div>']) expect(text).toContain(shown)
    expect(asked().sort()).toEqual(['/pipelines', '/pipelines/8/stages', '/tags'])
  })

  it.each<[string, PolicyRule['result']]>([
    ['denied', 'deny'],
    ['asked about', 'ask'],
  ])('does not read a list that is %s', async (_what, result) => {
    await setRules({ functions: ['board-list-channels'], result }, ASK)
    expect(await pageOf(await boardUser(), POST, GENERAL)).not.toContain('What its ids stand for')
    expect(asked()).toEqual([])
  })

  it('opens when the app fails', async () => {
    const user = await boardUser()
    onward.third.respond((_got, response) => sendJson(response, 500, {}))
    const text = await pageOf(user, POST, GENERAL)
    expect(text).toContain('<div class="sent">C024BE91L</div>')
    expect(text).not.toContain('What its ids stand for')
    expect(asked()).toEqual(['/channels'])
  })
})
